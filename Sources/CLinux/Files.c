#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static long result(long value) { return value < 0 ? -errno : value; }

int linux_open_device(const char *path) {
  return (int)result(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY));
}

int linux_open_only_read_write(int at, const char *path) {
  return (int)result(openat(at, path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW));
}

long linux_read_link(const char *path, char *out, size_t count) {
  return result(readlink(path, out, count));
}

int linux_link_owner(const char *path, uint32_t *owner) {
  struct stat status;
  if (lstat(path, &status) < 0) return -errno;
  *owner = status.st_uid;
  return 0;
}

int linux_duplicate(int fd) { return (int)result(fcntl(fd, F_DUPFD_CLOEXEC, 3)); }

uint32_t linux_effective_user(void) { return geteuid(); }

int linux_process(void) { return getpid(); }

int linux_is_read_only(int fd) {
  struct statfs status;
  return fstatfs(fd, &status) == 0 && (status.f_flags & ST_RDONLY) != 0;
}

int linux_set_owner(int fd, uint32_t owner, uint32_t group) {
  return (int)result(fchown(fd, owner, group));
}

int linux_set_mode(int fd, uint32_t mode) { return (int)result(fchmod(fd, mode)); }

static const char *const access_list = "system.posix_acl_access";

int linux_copy_access_list(int from, int to) {
  char list[4096];
  ssize_t count = fgetxattr(from, access_list, list, sizeof list);
  if (count >= 0) return fsetxattr(to, access_list, list, (size_t)count, 0) < 0 ? -errno : 1;
  if (errno == ENOTSUP) return 0;
  if (errno != ENODATA) return -errno;
  // What the directory has given to the new file, the old one did not have.
  if (fremovexattr(to, access_list) < 0 && errno != ENODATA && errno != ENOTSUP) return -errno;
  return 0;
}
