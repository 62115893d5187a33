#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static long result(long value) { return value < 0 ? -errno : value; }

// Bytes

long linux_read(int fd, void *buffer, size_t count) { return result(read(fd, buffer, count)); }

long linux_pread(int fd, void *buffer, size_t count, uint64_t offset) {
  return result(pread(fd, buffer, count, (off_t)offset));
}

long linux_pwrite(int fd, const void *bytes, size_t count, uint64_t offset) {
  return result(pwrite(fd, bytes, count, (off_t)offset));
}

long linux_write(int fd, const void *bytes, size_t count) { return result(write(fd, bytes, count)); }

long linux_write_pair(int fd, const void *head, size_t head_count, const void *body,
                      size_t body_count) {
  struct iovec pair[2] = {{(void *)head, head_count}, {(void *)body, body_count}};
  return result(writev(fd, pair, 2));
}

const short linux_poll_in = POLLIN, linux_poll_out = POLLOUT;

int linux_poll(int fd, short events, int milliseconds) {
  struct pollfd one = {.fd = fd, .events = events};
  int count = poll(&one, 1, milliseconds);
  return count < 0 ? -errno : count == 0 ? 0 : one.revents;
}

int linux_poll_input(int fd, int bell, int milliseconds) {
  struct pollfd both[2] = {{.fd = fd, .events = POLLIN}, {.fd = bell, .events = POLLIN}};
  int count = poll(both, 2, milliseconds);
  if (count < 0) return -errno;
  return both[1].revents ? 2 : both[0].revents ? 1 : 0;
}

// Descriptors

static int64_t nanoseconds(const struct timespec *time) {
  return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static void copy_status(const struct stat *from, struct linux_status *to) {
  to->device = from->st_dev;
  to->inode = from->st_ino;
  to->size = (uint64_t)from->st_size;
  to->changed = (uint64_t)from->st_mtim.tv_sec;
  to->content_time = nanoseconds(&from->st_mtim);
  to->file_time = nanoseconds(&from->st_ctim);
  to->mode = from->st_mode;
  to->owner = from->st_uid;
  to->group = from->st_gid;
}

int linux_status(int fd, struct linux_status *out) {
  struct stat status;
  if (fstat(fd, &status) < 0) return -errno;
  copy_status(&status, out);
  return 0;
}

int linux_close(int fd) { return (int)result(close(fd)); }

int linux_is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

int linux_is_terminal(int fd) {
  struct termios unused;
  return ioctl(fd, TCGETS, &unused) == 0;
}

int64_t linux_offset(int fd) { return result(lseek(fd, 0, SEEK_CUR)); }

int linux_seek(int fd, uint64_t offset) {
  return lseek(fd, (off_t)offset, SEEK_SET) < 0 ? -errno : 0;
}

int linux_lock(int fd, int exclusively) {
  return (int)result(flock(fd, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB));
}

int linux_sync(int fd) { return (int)result(fsync(fd)); }

void linux_begin_sync(int fd, uint64_t offset, uint64_t count) {
  (void)sync_file_range(fd, (off_t)offset, (off_t)count, SYNC_FILE_RANGE_WRITE);
}

int linux_truncate(int fd, uint64_t size) { return (int)result(ftruncate(fd, (off_t)size)); }

int linux_widen_pipe(int fd, int bytes) { return (int)result(fcntl(fd, F_SETPIPE_SZ, bytes)); }

int linux_pipe(int *ends) { return (int)result(pipe2(ends, O_CLOEXEC)); }

int linux_replace(int from, int to) { return (int)result(dup2(from, to)); }

int linux_close_range(unsigned first, unsigned last) {
  return (int)result(syscall(SYS_close_range, first, last, 0));
}

int linux_bell_make(void) { return (int)result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

void linux_bell_ring(int bell) {
  const uint64_t one = 1;
  if (write(bell, &one, sizeof one) < 0) return;  // full: it rings already
}

void linux_bell_silence(int bell) {
  uint64_t count;
  if (read(bell, &count, sizeof count) < 0) return;  // it did not ring
}

int linux_allow_descriptors(unsigned wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return result(-1);
  if (limit.rlim_cur >= wanted) return 0;
  limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
  return result(setrlimit(RLIMIT_NOFILE, &limit));
}

unsigned linux_descriptor_limit(void) {
  long limit = sysconf(_SC_OPEN_MAX);
  return limit < 0 ? 65535 : (unsigned)limit;
}

// Names

const int linux_at_cwd = AT_FDCWD;

int linux_open_read(int at, const char *path) {
  return (int)result(openat(at, path, O_RDONLY | O_CLOEXEC | O_NOCTTY));
}

int linux_open_only_write(const char *path) {
  return (int)result(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY));
}

int linux_open_write(int at, const char *path) {
  return (int)result(openat(at, path, O_RDWR | O_CLOEXEC | O_NOCTTY));
}

int linux_open_append(int at, const char *path, mode_t mode) {
  return (int)result(openat(at, path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, mode));
}

int linux_open_directory(int at, const char *path) {
  return (int)result(openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

int linux_open_unnamed(int at, mode_t mode) {
  return (int)result(openat(at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
}

int linux_open_new(int at, const char *name, mode_t mode) {
  return (int)result(openat(at, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
}

int linux_open_path(int at, const char *path) {
  return (int)result(openat(at, path, O_PATH | O_CLOEXEC));
}

int linux_make_directory(int at, const char *path, mode_t mode) {
  return (int)result(mkdirat(at, path, mode));
}

int linux_status_at(int at, const char *path, struct linux_status *out) {
  struct stat status;
  if (fstatat(at, path, &status, 0) < 0) return -errno;
  copy_status(&status, out);
  return 0;
}

// Without CAP_DAC_READ_SEARCH older kernels answer ENOENT to AT_EMPTY_PATH: /proc does it there.
int linux_link_descriptor(int fd, int at, const char *name) {
  if (linkat(fd, "", at, name, AT_EMPTY_PATH) == 0) return 0;
  if (errno == EEXIST) return -EEXIST;
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return (int)result(linkat(AT_FDCWD, path, at, name, AT_SYMLINK_FOLLOW));
}

int linux_link(int at, const char *from, const char *to) {
  return (int)result(linkat(at, from, at, to, 0));
}

// By number: with no flags glibc would make the older call, which the filter refuses.
int linux_rename(int at, const char *from, const char *to) {
  return (int)result(syscall(SYS_renameat2, at, from, at, to, 0));
}

int linux_rename_new(int at, const char *from, const char *to) {
  return (int)result(syscall(SYS_renameat2, at, from, at, to, RENAME_NOREPLACE));
}

int linux_unlink(int at, const char *name) { return (int)result(unlinkat(at, name, 0)); }

uint64_t linux_file_system(int fd) {
  struct statfs status;
  return fstatfs(fd, &status) < 0 ? 0 : (uint64_t)status.f_type;
}

// The machine

const char *linux_reason(int error) {
  const char *text = strerrordesc_np(error);
  return text ? text : "unknown error";
}

int linux_random(void *buffer, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t got = getrandom((char *)buffer + done, count - done, 0);
    if (got < 0 && errno != EINTR) return -errno;
    if (got > 0) done += (size_t)got;
  }
  return 0;
}

void linux_wall_clock(int64_t *seconds, int64_t *nanoseconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *seconds = now.tv_sec;
  *nanoseconds = now.tv_nsec;
}

uint64_t linux_monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void linux_sleep(uint64_t nanoseconds) {
  struct timespec wait = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  nanosleep(&wait, NULL);
}

const char *linux_environment(const char *name) { return getenv(name); }

void linux_exit(int status) { _exit(status); }
