#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <string.h>

// Typed faces of what Swift cannot call: macros, variadics, and structs built on the stack.

// Without openssl.cnf (no module enters by environment) and without a handler at exit (a thread may
// still be hashing then).
static inline int vault_openssl_start(void) {
  return OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
}

// A keyed HMAC context to duplicate: a duplicate costs no look-up of the digest by name.
static inline EVP_MAC_CTX *vault_hmac_template(const char *digest) {
  EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  EVP_MAC_CTX *context = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
      OSSL_PARAM_construct_end()};
  EVP_MAC_free(mac);
  if (context != NULL && EVP_MAC_init(context, (const unsigned char *)"", 0, params) == 1) {
    return context;
  }
  EVP_MAC_CTX_free(context);
  return NULL;
}

static inline void *vault_secure_malloc(size_t count) { return OPENSSL_secure_malloc(count); }

static inline void vault_secure_free(void *bytes, size_t count) {
  OPENSSL_secure_clear_free(bytes, count);
}

static inline void vault_cleanse(void *bytes, size_t count) { OPENSSL_cleanse(bytes, count); }

// Sets only the IV: the nonce XOR the number as a big-endian integer of 12 bytes.
static inline int vault_gcm_begin(EVP_CIPHER_CTX *context, const unsigned char *nonce,
                                  uint64_t number, int encrypt) {
  unsigned char iv[12];
  memcpy(iv, nonce, sizeof iv);
  for (int i = 0; i < 8; i++) iv[11 - i] ^= (unsigned char)(number >> (8 * i));
  return EVP_CipherInit_ex(context, NULL, NULL, NULL, iv, encrypt);
}

static inline int vault_gcm_get_tag(EVP_CIPHER_CTX *context, unsigned char *tag) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag);
}

static inline int vault_gcm_set_tag(EVP_CIPHER_CTX *context, const unsigned char *tag) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, (void *)tag);
}
