#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock's interface as the kernel documents it (Documentation/userspace-api/landlock.rst). Its
// header on a build machine may be older than the kernel the tools run on, so it is written here.
enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIR = 1 << 3,
  REMOVE_FILE = 1 << 5,
  MAKE_DIR = 1 << 7,
  MAKE_REG = 1 << 8,
  REFER = 1 << 13,
  TRUNCATE = 1 << 14,
  BIND_TCP = 1 << 0,
  CONNECT_TCP = 1 << 1,
  SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0,
  SCOPE_SIGNAL = 1 << 1,
};

struct ruleset {
  uint64_t files, network, scoped;
};

struct __attribute__((packed)) path_rule {
  uint64_t allowed;
  int32_t parent;
};

static uint64_t handled(int version) {
  static const int bits[] = {13, 13, 14, 15, 15, 16};  // by version
  return (1ull << bits[version < 5 ? version : 5]) - 1;
}

int linux_sandbox_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
  return version < 0 ? 0 : (int)version;
}

int linux_sandbox_begin(int version, int forbid_network, int scope_signals) {
  struct ruleset rules = {.files = handled(version)};
  size_t size = version < 4 ? 8 : version < 6 ? 16 : 24;
  if (version >= 4) rules.network = BIND_TCP | (forbid_network ? CONNECT_TCP : 0);
  if (version >= 6) rules.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | (scope_signals ? SCOPE_SIGNAL : 0);
  long fd = syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  return fd < 0 ? -errno : (int)fd;
}

// A right that makes sense only for directories is refused by the kernel for a file.
int linux_sandbox_allow(int ruleset, int version, int fd, int writing) {
  struct stat status;
  if (fstat(fd, &status) < 0) return -errno;
  uint64_t rights = READ_FILE | (writing ? WRITE_FILE | TRUNCATE : 0);
  if (S_ISDIR(status.st_mode))
    rights |= READ_DIR | (writing ? REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER : 0);
  struct path_rule rule = {rights & handled(version), fd};
  long result = syscall(SYS_landlock_add_rule, ruleset, 1, &rule, 0);
  return result < 0 ? -errno : 0;
}

int linux_sandbox_enter(int ruleset) {
  long result = syscall(SYS_landlock_restrict_self, ruleset, 0);
  return result < 0 ? -errno : 0;
}
