#define _GNU_SOURCE
#include "Terminal.h"

void linux_terminal_restore(void) {}
