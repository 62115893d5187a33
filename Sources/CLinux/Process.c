#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static int count;
static char **words;
static char **forgotten;  // what was taken out of the environment, for a command that we run

// What `main` is called with: glibc hands the same to constructors. Swift's own list comes from /proc,
// which may not be mounted: then it would be empty, and every argument lost.
//
// Before Swift's runtime looks: its variables make it speak on standard error, or start another
// program when we fail. They are a command's business, not ours.
__attribute__((constructor(101))) static void begin(int argc, char **argv, char **variables) {
  (void)variables;
  count = argc;
  words = argv;
  size_t all = 0, kept = 0, out = 0;
  while (environ && environ[all]) all++;
  for (size_t i = 0; i < all; i++) out += !strncmp(environ[i], "SWIFT_", 6);
  if (!out || !(forgotten = calloc(out + 1, sizeof *forgotten))) return;
  out = 0;
  for (size_t i = 0; i < all; i++) {
    if (strncmp(environ[i], "SWIFT_", 6)) environ[kept++] = environ[i];
    else forgotten[out++] = environ[i];
  }
  environ[kept] = NULL;
}

int linux_argument_count(void) { return count; }

const char *linux_argument(int index) { return index < count ? words[index] : NULL; }

void linux_environment_restore(void) {
  for (char **one = forgotten; one && *one; one++) putenv(*one);
}

// Memory
//
// The linker sends the calls of Swift's library, of the C++ one in it and of ours through here
// (Package.swift): without memory Swift prints a trace of the stack and traps. OpenSSL and libcurl
// call the C library itself and give a fault back.

void *__real_malloc(size_t) __attribute__((weak));
void *__real_calloc(size_t, size_t) __attribute__((weak));
void *__real_realloc(void *, size_t) __attribute__((weak));
int __real_posix_memalign(void **, size_t, size_t) __attribute__((weak));
void *__real_aligned_alloc(size_t, size_t) __attribute__((weak));

static _Noreturn void no_memory(size_t bytes) {
  char line[160];
  int length = snprintf(line, sizeof line,
                        "%.30s: error: cannot allocate %zu bytes: cannot allocate memory\n",
                        program_invocation_short_name, bytes);
  linux_terminal_restore();
  linux_write_message(2, line, (size_t)length);
  _exit(75);
}

void *__wrap_malloc(size_t bytes) {
  void *got = __real_malloc(bytes);
  if (!got && bytes) no_memory(bytes);
  return got;
}

void *__wrap_calloc(size_t each, size_t bytes) {
  void *got = __real_calloc(each, bytes);
  if (!got && each && bytes) no_memory(each * bytes);
  return got;
}

void *__wrap_realloc(void *old, size_t bytes) {
  void *got = __real_realloc(old, bytes);
  if (!got && bytes) no_memory(bytes);
  return got;
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes) {
  int error = __real_posix_memalign(out, alignment, bytes);
  if (error == ENOMEM) no_memory(bytes);
  return error;
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  void *got = __real_aligned_alloc(alignment, bytes);
  if (!got && bytes) no_memory(bytes);
  return got;
}
