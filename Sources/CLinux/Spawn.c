#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// The child keeps our process group, standard input and error, so that the terminal's keys reach
// it too, and dies with us. What the caller of the tool chose to ignore stays ignored, but for
// PIPE, which a producer needs. What we took out of the environment is there again.
static _Noreturn void become(char *const *words, int output, int report, pid_t parent) {
  int error = 0;
  sigset_t none;
  sigemptyset(&none);
  linux_signals_restore_for_command();
  linux_environment_restore();
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0) error = errno;
  if (getppid() != parent) _exit(1);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (!error && dup2(output, 1) < 0) error = errno;
  if (!error) {
    execvp(words[0], words);
    error = errno;
  }
  if (write(report, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

// The far end of `report` closes when the child runs, or has said why it does not.
static int reported(int report) {
  int error = 0;
  ssize_t count;
  do count = read(report, &error, sizeof error);
  while (count < 0 && errno == EINTR);
  close(report);
  return count == sizeof error ? -error : 0;
}

static int spawn(char *const *words, int *output, int *process) {
  int data[2], report[2];
  if (pipe2(data, O_CLOEXEC) < 0) return -errno;
  if (pipe2(report, O_CLOEXEC) < 0) return -errno;
  pid_t parent = getpid(), child = fork();
  if (child < 0) return -errno;
  if (child == 0) become(words, data[1], report[1], parent);
  close(data[1]);
  close(report[1]);
  int error = reported(report[0]);
  if (error < 0) {
    close(data[0]);
    waitpid(child, NULL, 0);
    return error;
  }
  *output = data[0];
  *process = child;
  return 0;
}

int linux_spawn(const char *words, size_t count, int *output, int *process) {
  char **list = calloc(count + 1, sizeof *list);
  if (!list) return -ENOMEM;
  for (size_t i = 0; i < count; i++, words += strlen(words) + 1) list[i] = (char *)words;
  int result = spawn(list, output, process);
  free(list);
  return result;
}

int linux_wait(int process, int *exit_code, int *signal) {
  int status;
  pid_t ended = waitpid(process, &status, 0);
  if (ended < 0) return -errno;
  *exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return 1;
}
