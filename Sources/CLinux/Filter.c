#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the system call filter knows x86_64 and aarch64"
#endif

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))
#define KILL SECCOMP_RET_KILL_PROCESS
#define ALLOW SECCOMP_RET_ALLOW
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

const int linux_call_landlock = SYS_landlock_create_ruleset, linux_call_seccomp = SYS_seccomp;

// A tool that holds keys or talks to the network has no business with these, ever.
static const int deadly[] = {
    SYS_execve,       SYS_execveat,       SYS_ptrace,         SYS_process_vm_readv,
    SYS_pidfd_open,   SYS_pidfd_getfd,    SYS_io_uring_setup, SYS_process_vm_writev,
    SYS_io_uring_enter, SYS_io_uring_register, SYS_pidfd_send_signal,
};

static const int sockets[] = {
    SYS_socket, SYS_socketpair, SYS_connect,  SYS_bind,     SYS_listen,   SYS_accept,   SYS_accept4,
    SYS_sendto, SYS_sendmsg,    SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg,  SYS_recvmmsg,
};

// What glibc, the Swift runtime and OpenSSL need once everything is opened and every thread runs.
// None of these opens a file, makes a process or reaches another one.
static const int harmless[] = {
    // bytes
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_ppoll,
    SYS_close, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_fstat,
    SYS_fchmod, SYS_fstatfs,
    // memory
    SYS_munmap, SYS_mremap, SYS_brk, SYS_madvise, SYS_mlock, SYS_mlock2, SYS_munlock,
    // threads that run already
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_rseq, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_getcpu, SYS_membarrier, SYS_exit, SYS_exit_group,
    // signals and time
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend, SYS_sigaltstack, SYS_restart_syscall, SYS_setitimer, SYS_getitimer,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    // who and what we are
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getrandom, SYS_wait4, SYS_waitid,
#if defined(__x86_64__)
    SYS_poll, SYS_alarm, SYS_time, SYS_pause,
#endif
};

// The program, and the calls that build it

struct program {
  struct sock_filter code[400];
  unsigned short length;
};

static void emit(struct program *p, struct sock_filter step) { p->code[p->length++] = step; }

static void load(struct program *p, size_t offset) {
  emit(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(struct program *p, uint32_t action) {
  emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

// If the loaded word passes `test` against `value`: `action`.
static void when(struct program *p, unsigned short test, uint32_t value, uint32_t action) {
  emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, 1));
  answer(p, action);
}

static void on(struct program *p, int call, uint32_t action) {
  when(p, BPF_JEQ, (uint32_t)call, action);
}

static void on_each(struct program *p, const int *calls, int count, uint32_t action) {
  for (int i = 0; i < count; i++) on(p, calls[i], action);
}

// The steps between `begin` and `end` see argument `index` of `call`; they end with an answer.
static unsigned short begin(struct program *p, int call, int index) {
  unsigned short jump = p->length;
  emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 0));
  load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)index);
  return jump;
}

static void end(struct program *p, unsigned short jump, uint32_t otherwise) {
  answer(p, otherwise);
  p->code[jump].jf = (unsigned char)(p->length - jump - 1);
}

static void on_values(struct program *p, int call, int index, const uint32_t *values, int count) {
  unsigned short jump = begin(p, call, index);
  for (int i = 0; i < count; i++) when(p, BPF_JEQ, values[i], ALLOW);
  end(p, jump, REFUSE(EPERM));
}

static void on_bit(struct program *p, int call, int index, uint32_t bit, uint32_t action,
                   uint32_t otherwise) {
  unsigned short jump = begin(p, call, index);
  when(p, BPF_JSET, bit, action);
  end(p, jump, otherwise);
}

static void on_directory(struct program *p, int call, int index) {
  unsigned short jump = begin(p, call, index);
  when(p, BPF_JEQ, (uint32_t)AT_FDCWD, REFUSE(EPERM));
  end(p, jump, ALLOW);
}

static void start(struct program *p) {
  load(p, offsetof(struct seccomp_data, arch));
  emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0));
  answer(p, KILL);
  load(p, offsetof(struct seccomp_data, nr));
  // A tracer that injects a fault leaves this number, which no call has: it reaches nothing.
  when(p, BPF_JEQ, UINT32_MAX, ALLOW);
#if defined(__x86_64__)
  when(p, BPF_JGE, 0x40000000, KILL);  // the x32 calls
#endif
}

static int install(struct program *p) {
  struct sock_fprog program = {p->length, p->code};
  long result =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return result < 0 ? -errno : result > 0 ? -EBUSY : 0;
}

// The filters

static void add_terminal(struct program *p) {
  // TCGETS2, TCSETS2, TCSETSW2, TCSETSF2 are what glibc 2.42 and later use.
  static const uint32_t commands[] = {TCGETS,     TCSETS,     TCSETSW,    TCSETSF,   TIOCGWINSZ,
                                      0x802c542a, 0x402c542b, 0x402c542c, 0x402c542d};
  on_values(p, SYS_ioctl, 1, commands, COUNT(commands));
}

static void add_descriptors(struct program *p) {
  static const uint32_t commands[] = {F_GETFD, F_SETFD, F_GETFL, F_GETPIPE_SZ, F_SETPIPE_SZ};
  on_values(p, SYS_fcntl, 1, commands, COUNT(commands));
}

// Names count only from a directory that was opened before; Landlock holds them to it.
static void add_names(struct program *p) {
  on_bit(p, SYS_newfstatat, 3, AT_EMPTY_PATH, ALLOW, REFUSE(EPERM));
  on_bit(p, SYS_statx, 2, AT_EMPTY_PATH, ALLOW, REFUSE(EPERM));
  on_directory(p, SYS_linkat, 2);
  on_directory(p, SYS_renameat2, 2);
  on_directory(p, SYS_unlinkat, 0);
}

static void add_signals(struct program *p, int child) {
  const uint32_t processes[] = {(uint32_t)getpid(), (uint32_t)child};
  on_values(p, SYS_kill, 0, processes, child ? 2 : 1);
  on_values(p, SYS_tgkill, 0, processes, 1);
}

int linux_filter_key_tool(int child) {
  struct program p = {.length = 0};
  start(&p);
  on_each(&p, deadly, COUNT(deadly), KILL);
  on_each(&p, sockets, COUNT(sockets), KILL);
  on(&p, SYS_clone3, REFUSE(ENOSYS));
  on_each(&p, harmless, COUNT(harmless), ALLOW);
  on_bit(&p, SYS_mmap, 2, PROT_EXEC, REFUSE(EPERM), ALLOW);
  on_bit(&p, SYS_mprotect, 2, PROT_EXEC, REFUSE(EPERM), ALLOW);
  add_names(&p);
  add_terminal(&p);
  add_descriptors(&p);
  add_signals(&p, child);
  answer(&p, REFUSE(EPERM));
  return install(&p);
}

int linux_filter_network_tool(void) {
  static const int refused[] = {
      SYS_mount,  SYS_umount2, SYS_pivot_root, SYS_chroot,          SYS_unshare,       SYS_setns,
      SYS_bpf,    SYS_add_key, SYS_keyctl,     SYS_request_key,     SYS_perf_event_open,
      SYS_reboot, SYS_swapon,  SYS_swapoff,    SYS_init_module,     SYS_finit_module,
      SYS_userfaultfd, SYS_kexec_load, SYS_delete_module, SYS_open_by_handle_at,
      SYS_memfd_create, SYS_personality,
  };
  static const uint32_t families[] = {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK};
  struct program p = {.length = 0};
  start(&p);
  on_each(&p, deadly, COUNT(deadly), KILL);
  on(&p, SYS_clone3, REFUSE(ENOSYS));
  on_bit(&p, SYS_clone, 0, CLONE_THREAD, ALLOW, REFUSE(EPERM));
  on_values(&p, SYS_socket, 0, families, COUNT(families));
  on_each(&p, refused, COUNT(refused), REFUSE(EPERM));
  answer(&p, ALLOW);
  return install(&p);
}

int linux_filter_refuse(const int *calls, int count, int error) {
  struct program p = {.length = 0};
  start(&p);
  on_each(&p, calls, count, REFUSE((uint32_t)error));
  answer(&p, ALLOW);
  return install(&p);
}
