#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static int result(int value) { return value < 0 ? -errno : value; }

int linux_forbid_core(void) {
  struct rlimit none = {0, 0};
  return result(setrlimit(RLIMIT_CORE, &none));
}

int linux_forbid_privileges(void) { return result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int linux_forbid_dump(void) { return result(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }
