#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct linux_monitor {
  pthread_mutex_t mutex;
};

struct linux_monitor *linux_monitor_make(void) {
  struct linux_monitor *monitor = malloc(sizeof *monitor);
  if (!monitor) abort();
  pthread_mutex_init(&monitor->mutex, NULL);
  return monitor;
}

void linux_monitor_free(struct linux_monitor *monitor) {
  pthread_mutex_destroy(&monitor->mutex);
  free(monitor);
}

void linux_monitor_lock(struct linux_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }

void linux_monitor_unlock(struct linux_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }

struct linux_place {
  pthread_cond_t called;
};

struct linux_place *linux_place_make(void) {
  struct linux_place *place = malloc(sizeof *place);
  if (!place) abort();
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&place->called, &attributes);
  pthread_condattr_destroy(&attributes);
  return place;
}

void linux_place_free(struct linux_place *place) {
  pthread_cond_destroy(&place->called);
  free(place);
}

void linux_place_call(struct linux_place *place) { pthread_cond_signal(&place->called); }

void linux_monitor_wait(struct linux_monitor *monitor, struct linux_place *place, uint64_t deadline) {
  struct timespec until = {(time_t)(deadline / 1000000000u), (long)(deadline % 1000000000u)};
  pthread_cond_timedwait(&place->called, &monitor->mutex, &until);
}

struct start {
  void (*body)(void *);
  void *context;
};

static void *run(void *raw) {
  struct start start = *(struct start *)raw;
  free(raw);
  start.body(start.context);
  return NULL;
}

// Signals go to the main thread, whose calls they must interrupt: the new one is born with all
// of them blocked, but for those that a fault of its own raises.
int linux_thread_start(unsigned long *thread, void (*body)(void *), void *context) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  sigset_t blocked, old;
  sigfillset(&blocked);
  for (int i = 0; i < 6; i++) sigdelset(&blocked, own[i]);
  struct start *start = malloc(sizeof *start);
  if (!start) return -ENOMEM;
  *start = (struct start){body, context};
  pthread_sigmask(SIG_SETMASK, &blocked, &old);
  int error = pthread_create(thread, NULL, run, start);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (error) free(start);
  return -error;
}

void linux_thread_join(unsigned long thread) { pthread_join(thread, NULL); }

void linux_thread_detach(unsigned long thread) { pthread_detach(thread); }

// Blocks of up to 4 MiB come from the heap, and it gives less than 128 MiB of it back.
void linux_keep_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
}
