#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <unistd.h>

// A signal that arrives between "is one pending?" and the blocking call would be missed for ever.
// So the first one starts a timer whose ticks interrupt whatever call was entered meanwhile, and
// when the limit has passed the tick itself ends the process, whatever the program is doing.

static _Atomic int pending;
static _Atomic int ticking;
static _Atomic int limit;
static _Atomic uint64_t deadline;
static _Atomic int wake = -1;

static void arm(int microseconds) {
  struct itimerval every = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &every, NULL);
}

static void note(int number) {
  int none = 0;
  if (!atomic_compare_exchange_strong(&pending, &none, number)) return;
  arm(100000);
  if (limit) deadline = linux_monotonic() + (uint64_t)limit * 1000000u;
  const uint64_t one = 1;
  if (wake >= 0 && write(wake, &one, sizeof one) < 0) return;
}

static void on_signal(int number) {
  int saved = errno;
  if (number != SIGALRM || !ticking) note(number);
  if (deadline && linux_monotonic() >= deadline) linux_signals_die(pending);
  errno = saved;
}

// `nohup` and a shell's `&` start us with signals ignored: they stay so.
static void take(int number, int even_if_ignored) {
  struct sigaction old, new = {.sa_handler = on_signal};
  sigaction(number, NULL, &old);
  if (old.sa_handler == SIG_IGN && !even_if_ignored) return;
  sigfillset(&new.sa_mask);
  sigaction(number, &new, NULL);
}

void linux_signals_watch(int limit_milliseconds) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
  limit = limit_milliseconds;
  if (wake >= 0) return;
  wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  take(SIGALRM, 1);
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGALRM);
  for (int i = 0; i < 3; i++) take(numbers[i], 0), sigaddset(&watched, numbers[i]);
  sigprocmask(SIG_UNBLOCK, &watched, NULL);
}

int linux_signals_pending(void) { return pending; }

int linux_signals_wake_descriptor(void) { return wake; }

void linux_signals_begin_ticks(void) {
  if (wake < 0 || pending) return;
  ticking = 1;
  arm(100000);
}

void linux_signals_end_ticks(void) {
  if (!ticking) return;
  if (!pending) arm(0);
  ticking = 0;
  if (pending) arm(100000);
}

void linux_signals_ignore_pipe(void) { signal(SIGPIPE, SIG_IGN); }

static int takes_size_limit;

// A file that may not grow (ulimit -f) is an error of a write, not the end of the process.
void linux_signals_reset_traps(void) {
  static const int traps[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (int i = 0; i < 7; i++) signal(traps[i], SIG_DFL);
  stack_t off = {.ss_flags = SS_DISABLE};
  sigaltstack(&off, NULL);
  if (signal(SIGXFSZ, SIG_IGN) != SIG_IGN) takes_size_limit = 1;
}

void linux_signals_restore_for_command(void) {
  signal(SIGPIPE, SIG_DFL);
  if (takes_size_limit) signal(SIGXFSZ, SIG_DFL);
}

int linux_signals_send(int process, int number) {
  return kill(process, number) < 0 ? -errno : 0;
}

void linux_signals_die(int number) {
  linux_terminal_restore();
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(number);
  _exit(128 + number);
}
