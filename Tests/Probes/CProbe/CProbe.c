#define _GNU_SOURCE
#include "CProbe.h"

#include <CLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : 0; }

static int try_socket(const char *act) {
  int pair[2];
  if (!strcmp(act, "socket-inet")) return result(socket(AF_INET, SOCK_STREAM, 0));
  if (!strcmp(act, "socket-inet6")) return result(socket(AF_INET6, SOCK_DGRAM, 0));
  if (!strcmp(act, "socket-unix")) return result(socket(AF_UNIX, SOCK_STREAM, 0));
  if (!strcmp(act, "socket-netlink")) return result(socket(AF_NETLINK, SOCK_RAW, 0));
  if (!strcmp(act, "socket-packet")) return result(socket(AF_PACKET, SOCK_RAW, 0));
  if (!strcmp(act, "socketpair")) return result(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  if (!strcmp(act, "connect")) return result(connect(0, NULL, 0));
  if (!strcmp(act, "sendto")) return result(sendto(0, "", 1, 0, NULL, 0));
  if (!strcmp(act, "sendmsg")) return result(sendmsg(0, NULL, 0));
  return -1000;
}

static int try_process(const char *act) {
  char *const words[] = {"true", NULL};
  if (!strcmp(act, "execve")) return result(execve("/bin/true", words, NULL));
  if (!strcmp(act, "execveat")) return result(syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, 0, 0));
  if (!strcmp(act, "ptrace")) return result(ptrace(PTRACE_TRACEME, 0, 0, 0));
  if (!strcmp(act, "process_vm_readv")) return result(process_vm_readv(getpid(), NULL, 0, NULL, 0, 0));
  if (!strcmp(act, "process_vm_writev")) return result(process_vm_writev(getpid(), NULL, 0, NULL, 0, 0));
  if (!strcmp(act, "pidfd_open")) return result(syscall(SYS_pidfd_open, getpid(), 0));
  if (!strcmp(act, "pidfd_getfd")) return result(syscall(SYS_pidfd_getfd, 0, 0, 0));
  if (!strcmp(act, "io_uring_setup")) return result(syscall(SYS_io_uring_setup, 1, NULL));
  if (!strcmp(act, "clone3")) return result(syscall(SYS_clone3, NULL, 0));
  if (!strcmp(act, "kill-self")) return result(kill(getpid(), 0));
  if (!strcmp(act, "kill-parent")) return result(kill(getppid(), 0));
#if defined(__x86_64__)
  if (!strcmp(act, "x32")) return result(syscall(0x40000000 + SYS_getpid));
  if (!strcmp(act, "i386")) {
    long answer;
    __asm__ volatile("int $0x80" : "=a"(answer) : "0"(20L) : "memory");
    return 0;
  }
#endif
  return -1000;
}

static void *nothing(void *unused) { return unused; }

static int try_thread(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, nothing, NULL);
  if (!error) pthread_join(thread, NULL);
  return -error;
}

static int try_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return result(child);
}

static int try_memory(const char *act) {
  int rights = PROT_READ | (!strcmp(act, "mmap-exec") ? PROT_EXEC : PROT_WRITE);
  void *page = mmap(NULL, 4096, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return -errno;
  if (!strcmp(act, "mprotect-exec")) return result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
  return 0;
}

static int try_random(void) {
  char bytes[4096];
  for (int i = 0; i < 1000; i++)
    if (syscall(SYS_getrandom, bytes, sizeof bytes, 0) < 0) return -errno;
  return 0;
}

int probe_try(const char *act) {
  char path[4200];
  if (!strncmp(act, "read:", 5)) return result(open(act + 5, O_RDONLY | O_CLOEXEC));
  if (!strncmp(act, "list:", 5)) return result(open(act + 5, O_RDONLY | O_DIRECTORY));
  if (!strncmp(act, "write:", 6)) return result(open(act + 6, O_WRONLY | O_CREAT, 0600));
  if (!strncmp(act, "mkdir:", 6)) return result(mkdir(act + 6, 0700));
  if (!strncmp(act, "unlink:", 7)) return result(unlink(act + 7));
  if (!strcmp(act, "thread")) return try_thread();
  if (!strcmp(act, "fork")) return try_fork();
  if (!strcmp(act, "random")) return try_random();
  if (!strcmp(act, "cwd")) return result(getcwd(path, sizeof path) ? 0 : -1);
  if (!strcmp(act, "ring")) return result(ioctl(0, 0x541b, path));
  if (strstr(act, "mmap") || strstr(act, "mprotect")) return try_memory(act);
  int answer = try_socket(act);
  return answer == -1000 ? try_process(act) : answer;
}

static void ignore(int number) { (void)number; }

void probe_catch_window_changes(void) {
  struct sigaction action = {.sa_handler = ignore};
  sigaction(SIGWINCH, &action, NULL);
}

void probe_allow_core(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_CORE, &limit);
}

int probe_become(unsigned user) { return result(setresuid(user, user, user)); }

int probe_pipe(int *ends) { return result(pipe2(ends, O_CLOEXEC)); }

int probe_set_nonblocking(int fd) {
  return result(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK));
}

int probe_open_terminal(char *name, unsigned long size) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0) return -errno;
  return ptsname_r(master, name, size) ? -1 : master;
}

int probe_echoes(int fd) {
  struct termios state;
  return tcgetattr(fd, &state) < 0 ? -errno : (state.c_lflag & ECHO) != 0;
}

int probe_dumped_core(int status) { return WCOREDUMP(status); }

void probe_exit(int status) { _exit(status); }

void probe_refuse(const char *what) {
  int call = strcmp(what, "landlock") ? linux_call_seccomp : linux_call_landlock;
  linux_filter_refuse(&call, 1, ENOSYS);
}
