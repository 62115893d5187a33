#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

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
