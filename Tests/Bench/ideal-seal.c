/* ideal-seal: standard input to standard output, each 16 KiB of it under AES-256-GCM with a tag of 16
   bytes, 64 chunks a write: the cost of the body of FORMAT 7 and nothing else. A yardstick, not a
   tool: the key is random and goes with the process. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "ideal.h"

enum { chunk_bytes = 16384, tag_bytes = 16, chunks = 64, group_bytes = chunks * chunk_bytes };

/* Each chunk is read to where it is sealed: one buffer serves for both. */
static size_t read_group(unsigned char *bytes) {
  size_t have = 0;
  while (have < group_bytes) {
    struct iovec rest[chunks];
    int count = 0;
    for (size_t at = have; at < group_bytes; at += rest[count++].iov_len) {
      rest[count].iov_base = bytes + at + at / chunk_bytes * tag_bytes;
      rest[count].iov_len = chunk_bytes - at % chunk_bytes;
    }
    ssize_t got = readv(0, rest, count);
    if (got < 0) fail("read");
    if (got == 0) break;
    have += (size_t)got;
  }
  return have;
}

static size_t seal(EVP_CIPHER_CTX *context, const unsigned char base[12], uint64_t number,
                   unsigned char *bytes, size_t count) {
  unsigned char nonce[12];
  int size = 0, rest = 0;
  memcpy(nonce, base, sizeof nonce);
  for (int i = 0; i < 8; i++) nonce[11 - i] ^= (unsigned char)(number >> (8 * i));
  if (!EVP_EncryptInit_ex(context, NULL, NULL, NULL, nonce) ||
      !EVP_EncryptUpdate(context, bytes, &size, bytes, (int)count) ||
      !EVP_EncryptFinal_ex(context, bytes + size, &rest) ||
      !EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, bytes + size))
    exit(70);
  return (size_t)size + tag_bytes;
}

int main(void) {
  unsigned char *bytes = malloc(group_bytes + chunks * tag_bytes);
  unsigned char key[32], base[12];
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  uint64_t number = 0;
  size_t have;
  (void)fcntl(0, F_SETPIPE_SZ, group_bytes);
  (void)fcntl(1, F_SETPIPE_SZ, group_bytes);
  if (!bytes || !context || RAND_bytes(key, sizeof key) != 1 ||
      RAND_bytes(base, sizeof base) != 1 ||
      !EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, NULL))
    return 70;
  do {
    size_t out = 0, at = 0;
    have = read_group(bytes);
    while (at < have || (at == have && have < group_bytes)) { /* the last chunk is short, or empty */
      size_t count = have - at < chunk_bytes ? have - at : chunk_bytes;
      out += seal(context, base, number++, bytes + out, count);
      at += count;
      if (count < chunk_bytes) break;
    }
    write_all(bytes, out);
  } while (have == group_bytes);
  return 0;
}
