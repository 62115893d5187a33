#pragma once
// What the probe does that no tool may do, and what its driver needs of C.

/// Tries one forbidden or allowed act by its name. 0, or the negated errno.
int probe_try(const char *_Nonnull act);
/// Gives SIGWINCH a handler without SA_RESTART, so that it interrupts calls.
void probe_catch_window_changes(void);
/// Allows core files as far as the hard limit goes.
void probe_allow_core(void);
/// Becomes another user, for good.
int probe_become(unsigned user);
/// A pipe whose ends children do not inherit.
int probe_pipe(int *_Nonnull ends);
int probe_set_nonblocking(int fd);
/// A new pseudo-terminal: its master side; `name` gets the path of the other.
int probe_open_terminal(char *_Nonnull name, unsigned long size);
/// Whether the terminal behind `fd` echoes what is typed.
int probe_echoes(int fd);
_Noreturn void probe_exit(int status);
int probe_dumped_core(int status);
/// Makes a kernel without one protection: `landlock` or `seccomp` answers ENOSYS.
void probe_refuse(const char *_Nonnull what);
