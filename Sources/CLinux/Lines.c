#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : (int)value; }

int linux_open_append_old(int at, const char *path) {
  return result(openat(at, path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
}

int linux_is_writable(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && !(flags & O_PATH) && (flags & O_ACCMODE) != O_RDONLY;
}

int linux_is_readable(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && !(flags & O_PATH) && (flags & O_ACCMODE) != O_WRONLY;
}

int linux_is_appending(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_APPEND);
}

int linux_write_nothing(int fd) { return result(write(fd, "", 0)); }

int linux_reserve(int fd, uint64_t offset, uint64_t count) {
  return result(fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)count));
}

uint64_t linux_room(int fd) {
  struct statfs status;
  if (fstatfs(fd, &status) < 0 || status.f_blocks == 0) return UINT64_MAX;
  return (uint64_t)status.f_bavail * (uint64_t)status.f_bsize;
}

uint64_t linux_file_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

int linux_follow(const char *path, char *out) {
  return realpath(path, out) ? 0 : -errno;
}
