#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static _Atomic int hidden = -1;  // the terminal whose echo is off
static char prompt[256];
static struct termios shown;
static struct sigaction old_stop, old_quit;

// The question is asked here, so that it is also asked again after a stop, whatever was going on.
static int hide(int fd) {
  struct termios quiet = shown;
  quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK);
  quiet.c_lflag |= ECHONL;
  if (tcsetattr(fd, TCSAFLUSH, &quiet) < 0) return -errno;
  return write(fd, prompt, strlen(prompt)) < 0 ? -errno : 0;
}

// The shell must get back the terminal it lent: the echo is on while we are stopped.
static void on_stop(int number) {
  int saved = errno, fd = hidden;
  if (fd >= 0) tcsetattr(fd, TCSAFLUSH, &shown);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  struct sigaction ours, standard = {.sa_handler = SIG_DFL};
  sigaction(number, &standard, &ours);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  sigaction(number, &ours, NULL);
  if (fd >= 0) hide(fd);
  errno = saved;
}

static void on_quit(int number) { linux_signals_die(number); }

static void take(int number, void (*handler)(int), struct sigaction *old) {
  struct sigaction new = {.sa_handler = handler};
  sigemptyset(&new.sa_mask);
  sigaction(number, NULL, old);
  if (old->sa_handler != SIG_IGN) sigaction(number, &new, NULL);
}

int linux_terminal_ask(int fd, const char *question) {
  if (tcgetattr(fd, &shown) < 0) return -errno;
  take(SIGTSTP, on_stop, &old_stop);
  take(SIGQUIT, on_quit, &old_quit);
  strncpy(prompt, question, sizeof prompt - 1);
  hidden = fd;
  int error = hide(fd);
  if (error < 0) linux_terminal_restore();
  return error;
}

void linux_terminal_restore(void) {
  int fd = atomic_exchange(&hidden, -1);
  if (fd < 0) return;
  tcsetattr(fd, TCSAFLUSH, &shown);
  sigaction(SIGTSTP, &old_stop, NULL);
  sigaction(SIGQUIT, &old_quit, NULL);
}
