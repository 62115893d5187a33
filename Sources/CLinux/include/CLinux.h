#pragma once
// Typed faces of Linux calls that are variadic, are macros, or must be async-signal-safe.
// Every function that can fail returns the negated errno; the others say what they return.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Calls.c: bytes
long linux_read(int fd, void *_Nonnull buffer, size_t count);
long linux_pread(int fd, void *_Nonnull buffer, size_t count, uint64_t offset);
long linux_pwrite(int fd, const void *_Nonnull bytes, size_t count, uint64_t offset);
long linux_write(int fd, const void *_Nonnull bytes, size_t count);
long linux_write_pair(int fd, const void *_Nonnull head, size_t head_count,
                      const void *_Nonnull body, size_t body_count);
int linux_poll(int fd, short events, int milliseconds);  // revents
extern const short linux_poll_in, linux_poll_out;

// Calls.c: descriptors
struct linux_status {
  uint64_t device, inode, size, changed;  // changed: seconds
  uint32_t mode, owner;
};
int linux_status(int fd, struct linux_status *_Nonnull out);
int linux_close(int fd);
int linux_is_open(int fd);
int linux_is_terminal(int fd);
int64_t linux_offset(int fd);
int linux_seek(int fd, uint64_t offset);
int linux_sync(int fd);
int linux_truncate(int fd, uint64_t size);
int linux_widen_pipe(int fd, int bytes);
int linux_pipe(int *_Nonnull ends);
int linux_replace(int from, int to);
int linux_close_range(unsigned first, unsigned last);

// Calls.c: names. `at` is an open directory or linux_at_cwd.
extern const int linux_at_cwd;
int linux_open_read(int at, const char *_Nonnull path);
int linux_open_write(int at, const char *_Nonnull path);
int linux_open_append(int at, const char *_Nonnull path, mode_t mode);
int linux_open_directory(int at, const char *_Nonnull path);
int linux_open_unnamed(int at, mode_t mode);
int linux_open_new(int at, const char *_Nonnull name, mode_t mode);
int linux_open_path(int at, const char *_Nonnull path);
int linux_make_directory(int at, const char *_Nonnull path, mode_t mode);
int linux_status_at(int at, const char *_Nonnull path, struct linux_status *_Nonnull out);
int linux_link_descriptor(int fd, int at, const char *_Nonnull name);
int linux_link(int at, const char *_Nonnull from, const char *_Nonnull to);
int linux_rename(int at, const char *_Nonnull from, const char *_Nonnull to);
int linux_rename_new(int at, const char *_Nonnull from, const char *_Nonnull to);
int linux_unlink(int at, const char *_Nonnull name);
uint64_t linux_file_system(int fd);

// Calls.c: the machine
const char *_Nonnull linux_reason(int error);
int linux_random(void *_Nonnull buffer, size_t count);
void linux_wall_clock(int64_t *_Nonnull seconds, int64_t *_Nonnull nanoseconds);
uint64_t linux_monotonic(void);  // nanoseconds
void linux_sleep(uint64_t nanoseconds);
const char *_Nullable linux_environment(const char *_Nonnull name);
_Noreturn void linux_exit(int status);

// Signals.c
void linux_signals_watch(int limit_milliseconds);  // 0: no limit
int linux_signals_pending(void);                   // a signal's number, or 0
int linux_signals_wake_descriptor(void);           // or -1
void linux_signals_begin_ticks(void);
void linux_signals_end_ticks(void);
void linux_signals_ignore_pipe(void);
void linux_signals_reset_traps(void);
int linux_signals_send(int process, int number);
_Noreturn void linux_signals_die(int number);
