# make            builds the tools and puts them in bin/
# make install    PREFIX=/usr/local DESTDIR=
# make check      the quick loop: lint, build, all tests that need no server
# make test       everything, against real servers that it starts itself
# make soak       all starts and all injected failures, of which make test takes a sample
# make fuzz       SECONDS=60 for each parser, under libFuzzer
# make bench      measures the tools beside their peers, writes docs/BENCHMARKS.md (ONLY=hash,seal QUICK=1)
# make demo       a study goes in sealed, a receipt comes out, the study comes back (STUDY=path)
# make demo-migration   1,000 legacy rows become sealed ones, with a PostgreSQL and a store of its own

PREFIX = /usr/local
DESTDIR =
SHARE = $(PREFIX)/share/vault-tools
SECONDS = 60
ONLY =
QUICK =
TOOLS := $(notdir $(wildcard Sources/vault-*))
RECIPES := $(filter-out $(TOOLS:%=bin/%) bin/sql,$(wildcard bin/*))
# Without the flag, a library that lies beside a tool would be loaded instead of the system's.
SWIFT_BUILD = swift build -c release --static-swift-stdlib --disable-local-rpath \
  -Xlinker -L$(CURDIR)/.build/static

export SWIFT_BACKTRACE = enable=no
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: tools build install uninstall check test soak fuzz bench demo demo-migration clean needs venv
.NOTPARALLEL:

tools: needs build

# The linker takes what it finds first: here is the archive of Swift's C++ runtime and not the
# library, whose loading would cost every start of a tool a millisecond.
build:
	@mkdir -p .build/static
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" .build/static
	$(SWIFT_BUILD)
	@for tool in $(TOOLS); do install -D -m 755 .build/release/$$tool bin/$$tool || exit; done

install: tools
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 $(TOOLS:%=bin/%) $(RECIPES) '$(DESTDIR)$(PREFIX)/bin'
	install -d '$(DESTDIR)$(SHARE)/sql'
	install -m 644 bin/sql/* '$(DESTDIR)$(SHARE)/sql'

uninstall:
	cd '$(DESTDIR)$(PREFIX)/bin' && rm -f $(TOOLS) $(notdir $(RECIPES))
	rm -rf '$(DESTDIR)$(SHARE)'

check:
	@Tests/needs.sh build check
	@Tests/run.sh check

test: venv
	@Tests/run.sh test

soak: tools
	@Tests/needs.sh build test
	@Tests/venv.sh
	@Tests/run.sh soak

fuzz:
	@Tests/needs.sh build
	@Tests/Fuzz/fuzz.sh $(SECONDS)

bench: tools
	@Tests/needs.sh build bench
	@Tests/venv.sh
	@Tests/Bench/make-ready.sh
	@.build/bench/venv/bin/python Tests/Bench/bench.py --only '$(ONLY)' $(if $(filter 1,$(QUICK)),--quick)

demo: tools
	@PATH="$(CURDIR)/bin:$$PATH" docs/examples/demo.sh

demo-migration: tools
	@Tests/needs.sh build migration
	@Tests/venv.sh
	@PATH="$(CURDIR)/bin:$$PATH" VAULT_TEST_SERVERS=seaweed Tests/servers/with-servers.sh \
	  Tests/migration/with-postgres.sh docs/examples/demo-migration.sh

clean:
	rm -rf .build $(TOOLS:%=bin/%)

needs:
	@Tests/needs.sh build

venv:
	@Tests/needs.sh build check test
	@Tests/venv.sh
	@Tests/venv.sh spark
