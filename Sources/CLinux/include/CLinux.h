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
int linux_poll_input(int fd, int bell, int milliseconds);  // 2: bell, 1: input, 0: neither
extern const short linux_poll_in, linux_poll_out;

// Calls.c: descriptors
struct linux_status {
  uint64_t device, inode, size, changed;  // changed: seconds
  // Nanoseconds since 1970, of the content and of all that is known of the file.
  int64_t content_time, file_time;
  uint32_t mode, owner, group;
};
int linux_status(int fd, struct linux_status *_Nonnull out);
int linux_close(int fd);
int linux_is_open(int fd);
int linux_is_terminal(int fd);
int64_t linux_offset(int fd);
int linux_seek(int fd, uint64_t offset);
int linux_sync(int fd);
void linux_begin_sync(int fd, uint64_t offset, uint64_t count);
int linux_lock(int fd, int exclusively);  // until the file is closed; fails at once
int linux_truncate(int fd, uint64_t size);
int linux_widen_pipe(int fd, int bytes);
int linux_pipe(int *_Nonnull ends);
int linux_replace(int from, int to);
int linux_close_range(unsigned first, unsigned last);
int linux_bell_make(void);
void linux_bell_ring(int bell);
void linux_bell_silence(int bell);
unsigned linux_descriptor_limit(void);
int linux_allow_descriptors(unsigned wanted);  // as many of them as the hard limit allows

// Calls.c: names. `at` is an open directory or linux_at_cwd.
extern const int linux_at_cwd;
int linux_open_read(int at, const char *_Nonnull path);
int linux_open_only_write(const char *_Nonnull path);
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

// Lines.c: what files that grow by whole lines need, and files that take another's place
int linux_open_append_old(int at, const char *_Nonnull path);  // never made
int linux_is_writable(int fd);
int linux_is_readable(int fd);
int linux_is_appending(int fd);
int linux_write_nothing(int fd);
int linux_reserve(int fd, uint64_t offset, uint64_t count);  // blocks, also past the end
uint64_t linux_room(int fd);        // bytes that are free; UINT64_MAX where nobody says it
uint64_t linux_file_limit(void);    // of the size of a file; UINT64_MAX for none
int linux_follow(const char *_Nonnull path, char *_Nonnull out);  // `out` has 4,096 bytes

// Files.c: what stands behind a name, and what a file that takes its place keeps
int linux_open_device(const char *_Nonnull path);
int linux_open_only_read_write(int at, const char *_Nonnull path);
long linux_read_link(const char *_Nonnull path, char *_Nonnull out, size_t count);
int linux_link_owner(const char *_Nonnull path, uint32_t *_Nonnull owner);
int linux_duplicate(int fd);
uint32_t linux_effective_user(void);
int linux_process(void);
int linux_is_read_only(int fd);
int linux_set_owner(int fd, uint32_t owner, uint32_t group);  // UINT32_MAX: as it is
int linux_set_mode(int fd, uint32_t mode);
int linux_copy_access_list(int from, int to);  // 1: there was one, and both have it

// Process.c
int linux_argument_count(void);
const char *_Nullable linux_argument(int index);
void linux_environment_restore(void);  // for a command: what was taken out at the start

// Calls.c: the machine
const char *_Nonnull linux_reason(int error);
int linux_random(void *_Nonnull buffer, size_t count);
void linux_wall_clock(int64_t *_Nonnull seconds, int64_t *_Nonnull nanoseconds);
uint64_t linux_monotonic(void);  // nanoseconds
void linux_sleep(uint64_t nanoseconds);
const char *_Nullable linux_environment(const char *_Nonnull name);
_Noreturn void linux_exit(int status);

// Messages.c: a write that raises no SIGPIPE
long linux_write_message(int fd, const void *_Nonnull bytes, size_t count);

// Signals.c
void linux_signals_watch(int limit_milliseconds);  // 0: no limit
int linux_signals_pending(void);                   // a signal's number, or 0
int linux_signals_wake_descriptor(void);           // or -1
void linux_signals_begin_ticks(void);
void linux_signals_end_ticks(void);
void linux_signals_ignore_pipe(void);
void linux_signals_reset_traps(void);
void linux_signals_restore_for_command(void);
int linux_signals_send(int process, int number);
_Noreturn void linux_signals_die(int number);

// Terminal.c: one terminal at a time. The echo comes back on every way out of the process.
int linux_terminal_ask(int fd, const char *_Nonnull question);  // and the echo is off
void linux_terminal_restore(void);  // async-signal-safe; does nothing when no echo is off

// Spawn.c
int linux_spawn(const char *_Nonnull words, size_t count, int *_Nonnull output,
                int *_Nonnull process);  // words: one after the other, each with its NUL
int linux_wait(int process, int *_Nonnull exit_code, int *_Nonnull signal);  // 0 still runs, else 1

// Threads.c
struct linux_monitor;
struct linux_monitor *_Nonnull linux_monitor_make(void);
void linux_monitor_free(struct linux_monitor *_Nonnull monitor);
void linux_monitor_lock(struct linux_monitor *_Nonnull monitor);
void linux_monitor_unlock(struct linux_monitor *_Nonnull monitor);
struct linux_place;  // what one thread sleeps on while it waits for a monitor
struct linux_place *_Nonnull linux_place_make(void);
void linux_place_free(struct linux_place *_Nonnull place);
void linux_place_call(struct linux_place *_Nonnull place);
void linux_monitor_wait(struct linux_monitor *_Nonnull monitor, struct linux_place *_Nonnull place,
                        uint64_t deadline);
int linux_thread_start(unsigned long *_Nonnull thread, void (*_Nonnull body)(void *_Nonnull),
                       void *_Nonnull context);
void linux_thread_join(unsigned long thread);
void linux_thread_detach(unsigned long thread);
void linux_keep_freed_memory(void);

// Hardening.c
int linux_forbid_core(void);
int linux_forbid_privileges(void);
int linux_forbid_dump(void);

// Filter.c: each is loaded for all threads. A `child` of 0 is none.
int linux_filter_key_tool(int child);
int linux_filter_network_tool(void);
int linux_filter_refuse(const int *_Nonnull calls, int count, int error);
extern const int linux_call_landlock, linux_call_seccomp;

// Sandbox.c (Landlock)
int linux_sandbox_version(void);  // 0: the kernel has none
int linux_sandbox_begin(int version, int forbid_network, int scope_signals);  // a ruleset
int linux_sandbox_allow(int ruleset, int version, int fd, int writing);
int linux_sandbox_enter(int ruleset);
