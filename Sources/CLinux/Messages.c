#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// A message that nobody reads must not end a filter, which keeps SIGPIPE for its data.
long linux_write_message(int fd, const void *bytes, size_t count) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  long written = write(fd, bytes, count);
  if (written < 0) written = -errno;
  if (written == -EPIPE && !sigismember(&pending, SIGPIPE)) {
    struct timespec now = {0, 0};
    sigtimedwait(&broken, NULL, &now);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return written;
}
