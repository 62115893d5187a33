/* What the yardsticks share: whole writes to standard output, and an end at the first failure. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(74);
}

static void write_all(const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = write(1, bytes, count);
    if (done < 0) fail("write");
    bytes += done;
    count -= (size_t)done;
  }
}
