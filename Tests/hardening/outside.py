"""What the kernel sees of the tools that hold keys: calls, rights, traps, modules."""

import json
import os
import re
import resource
import signal
import subprocess
import time

from memory import LIBC, at_exit
from secrets_of import envelope_of
from writer import batch, plain

OPENING = r"\b(open|openat|openat2|creat|name_to_handle_at|open_by_handle_at)\("
SOCKETS = r"\b(socket|socketpair|connect|bind|listen|accept4?|sendto|sendmsg|sendmmsg)\("
PROCESSES = r"\b(execve|execveat|fork|vfork|clone|clone3|ptrace)\("


def traced(place, *command, data=b"", env=None):
    """Runs a tool under strace: its status, its lines before the filter, its lines after it."""
    trace = place.path / "trace"
    done = place.status("strace", "-f", "-o", str(trace), "-s", "256", *command, data=data, env=env)
    lines = trace.read_text(errors="replace").splitlines()
    filters = [n for n, line in enumerate(lines) if "seccomp(SECCOMP_SET_MODE_FILTER" in line]
    assert len(filters) == 1, (command, filters, done.stderr)
    return done, lines[: filters[0]], lines[filters[0] + 1 :]


def find(pattern, lines):
    return [line for line in lines if re.search(pattern, line)]


def calls(place):
    place.write("batch", b"".join(bytes(p) for p in batch([plain("one", b"x" * 70_000), plain("two", b"y")])))
    space = ["--space", "space", "--password-file", "password"]
    receipt = json.dumps({"envelope": envelope_text(place.read("key.vault"))}) + "\n"
    runs = {
        "a seal": ["vault-seal", "-r", place.recipient, "plain"],
        "a seal for a space": ["vault-seal", *space, "plain"],
        "an open": ["vault-open", "-i", "identity", "x25519.vault"],
        "an open with a space to a file": ["vault-open", *space, "-o", "opened", "space.vault"],
        "a batch that is sealed": ["vault-seal", *space, "--derive", "batch"],
        "an inspection": ["vault-open", "--inspect", "key.vault"],
        "a key that is made": ["vault-key", "new", "-o", "made"],
        "a space that is made": ["vault-key", "space", "new", "--password-file", "password", "-o", "sp"],
        "a rewrap": ["vault-key", "rewrap", "--key-file", "kek", "-r", place.recipient],
    }
    for what, command in runs.items():
        data = receipt.encode() if what == "a rewrap" else b""
        done, before, after = traced(place, *command, data=data)
        if what == "a batch that is sealed":
            place.write("batch.vault", done.stdout)
        bad = find(SOCKETS, before + after) + find(OPENING, after) + find(PROCESSES, after)
        for line in bad:
            print("  call:", line)
        yield f"calls: {what} makes no socket, and opens and starts nothing after the filter", (
            done.returncode == 0 and not bad and len(after) > 3)
    done, before, after = traced(place, "vault-open", "--check", "--batch", *space, "batch.vault")
    bad = find(SOCKETS, before + after) + find(OPENING, after)
    yield "calls: a batch that is checked likewise, and both items are good", (
        done.returncode == 0 and not bad and done.stdout.count(b'"consistent":true') == 2)
    late = [n for n, line in enumerate(before) if re.search(r"\bread\(", line)]
    opened = {m[1] for line in before if (m := re.search(r'openat\(.*"(password|space|identity|kek)".* = (\d+)', line))}
    yield "calls: secret files are opened before the filter and read after it", (
        "space" in opened and not find("correct horse|AGE-SECRET", before) and bool(late)
        and bool(find("correct horse", after)))


def envelope_text(raw):
    return raw[24 : 24 + int.from_bytes(raw[12:16])].decode()


def process(place):
    """The state of a tool that waits for its input."""
    child = subprocess.Popen([place.tool("vault-open"), "-i", "identity"], cwd=place.path, env=place.env,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    status = wait_until(child.pid)
    limits = open(f"/proc/{child.pid}/limits").read()
    yield "process: no new privileges, a filter", (
        status.get("NoNewPrivs") == "1" and status.get("Seccomp") == "2")
    yield "process: no core", bool(re.search(r"Max core file size +0 +0 ", limits))
    yield "process: not dumpable: only root can look at it", os.stat(f"/proc/{child.pid}/mem").st_uid == 0
    child.stdin.close()
    yield "process: an input that ends at once is incomplete", child.wait() == 66
    child.stdout.close()


def wait_until(pid):
    for _ in range(200):
        status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status"))
        status = {name: value.strip() for name, value in status.items()}
        if status.get("Seccomp") == "2":
            return status
        time.sleep(0.02)
    return {}


def without_locked_memory():
    """For a process that is about to start: no page may be locked, though it is root."""
    LIBC.prctl(24, 14, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_IPC_LOCK
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))


def missing(place):
    """A protection that is missing: shown, and refused when it is required."""
    required = {"VAULT_REQUIRE_SANDBOX": "1"}
    commands = {"vault-key": ["space", "capture", "--password-file", "password", "space"],
                "vault-seal": ["-r", place.recipient, "plain"],
                "vault-open": ["--check", "-i", "identity", "x25519.vault"]}
    for tool, words in commands.items():
        shown = place.status(tool, "--version", "--verbose", preexec_fn=without_locked_memory)
        whole = place.status(tool, "--version", "--verbose")
        yield f"missing: {tool} shows locked-memory: missing, where it is otherwise on", (
            b"locked-memory: missing" in shown.stdout and b"locked-memory: on" in whole.stdout
            and b"missing" not in whole.stdout)
        runs = [place.status(tool, *words, env=env, preexec_fn=limit)
                for limit, env in ((without_locked_memory, {}), (None, required),
                                   (without_locked_memory, required))]
        yield f"missing: {tool} works without it, and is 78 where it is required", (
            [run.returncode for run in runs] == [0, 0, 78] and not runs[2].stdout
            and b"a protection is missing: locked-memory" in runs[2].stderr)


def traps(place):
    """A helper that the runtime would start at a trap, and that would tell."""
    helper = place.path / "backtracer"
    helper.write_text(f"#!/bin/sh\necho traced\ntouch {place.path}/traced\n")
    helper.chmod(0o700)
    for more in ("", ",color=no,output-to=stderr,threads=all", ",output-to=stdout,registers=all"):
        setting = f"enable=yes,swift-backtrace={helper}{more}"
        for number in (signal.SIGSEGV, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS):
            child = subprocess.Popen(
                [place.tool("vault-open"), "-i", "identity"], cwd=place.path, stdin=subprocess.PIPE,
                env={**place.env, "SWIFT_BACKTRACE": setting}, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE)
            wait_until(child.pid)
            child.send_signal(number)
            out, error = child.communicate()
            left = [*place.path.glob("core*"), *place.path.glob("traced")]
            yield f"traps: {number.name} under enable=yes{more} ends it without a word", (
                child.returncode == -number and not out + error and not left)


def modules(place):
    config = place.path / "evil.cnf"
    config.write_text("openssl_conf = a\n[a]\nproviders = b\n[b]\nevil = c\n[c]\nmodule = "
                      f"{place.path}/evil.so\nactivate = 1\n")
    env = {"OPENSSL_CONF": str(config), "OPENSSL_MODULES": str(place.path),
           "OPENSSL_ENGINES": str(place.path)}
    done, before, after = traced(place, "vault-seal", "-r", place.recipient, "plain", env=env)
    yield "modules: OPENSSL_CONF, _MODULES and _ENGINES load nothing", (
        done.returncode == 0 and not find("evil", [line for line in before + after if "execve" not in line]))
    trace = place.path / "control"
    place.status("strace", "-o", str(trace), "openssl", "dgst", "-sha256", "/dev/null", env=env)
    yield "modules: the openssl program does read that file", "evil.cnf" in trace.read_text()


def limits(place):
    """Inputs that ask for much work: time and memory are shown, the refusal is tested."""
    space = place.read("space").decode()
    lines = space.splitlines(keepends=True)
    cases = {
        "10^18 rounds": space.replace(" 600000 ", " 1000000000000000000 "),
        "10,000,001 rounds": space.replace(" 600000 ", " 10000001 "),
        "a million lines": lines[0] + lines[2] * 1_000_000,
        "a line of 64 MiB": lines[0] + "space " + "0" * (64 << 20),
        "100 MiB": space + "\0" * (100 << 20),
    }
    for what, text in cases.items():
        place.write("bad", text.encode())
        status, seconds, kib = measured(place, "vault-key", "space", "capture",
                                        "--password-file", "password", "bad")
        print(f"  limits: {what}: exit {status}, {seconds:.3f} s, {kib} KiB")
        yield f"limits: {what} in a space file is 65", status == 65 and kib < 32 << 10
    place.write("bad", b"AGE-SECRET-KEY-1" * (8 << 20))
    status, seconds, kib = measured(place, "vault-open", "-i", "bad", "x25519.vault")
    print(f"  limits: a key file of 128 MiB: exit {status}, {seconds:.3f} s, {kib} KiB")
    yield "limits: a huge key file is 78", status == 78 and kib < 32 << 10
    place.write("bad", b'{"envelope":"' + b"x" * (64 << 20))
    status, seconds, kib = measured(place, "vault-key", "rewrap", "--key-file", "kek", "-r",
                                    place.recipient, "bad")
    print(f"  limits: a receipt of 64 MiB: exit {status}, {seconds:.3f} s, {kib} KiB")
    yield "limits: a huge line of a receipt is 65", status == 65 and kib < 32 << 10


def measured(place, *command):
    """Exit code, seconds, and the most memory that it had: the kernel's count ends with the process."""
    started = time.monotonic()
    status, peak = at_exit(place, command, peak_of)
    return os.waitstatus_to_exitcode(status), time.monotonic() - started, peak


def peak_of(process):
    return int(re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{process}/status").read())[1])


def many(place):
    """More random numbers than a generator gives before it reseeds (65,536 requests), and the speed."""
    place.write("kek2", os.urandom(32))
    for what, count, command in (
            ("key slots", 70_000, ["--key-file", "kek", "--to-key-file", "kek2"]),
            ("X25519 slots", 10_000, ["-i", "identity", "-r", place.recipient])):
        name = "key.vault" if what == "key slots" else "x25519.vault"
        line = json.dumps({"envelope": envelope_text(place.read(name))}).encode() + b"\n"
        place.write("many", line * count)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = place.run("vault-key", "rewrap", *command, "many")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        slots = {json.loads(line)["envelope"].split("slot ")[1].split(" ")[2] for line in out.splitlines()}
        print(f"  speed: {count} {what} rewrapped in {seconds:.2f} s of one core: {count / seconds:,.0f} a second")
        yield f"random: {count} {what} under the filter, all with another salt or key", len(slots) == count


def checks(place):
    for part in (calls, process, missing, traps, modules, limits, many):
        yield from part(place)
