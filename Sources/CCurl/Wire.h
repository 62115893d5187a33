#pragma once
#include "CCurl.h"

// What CCurl.c, which Swift calls, and Callbacks.c, which libcurl calls, have in common.
enum { head_limit = 64 << 10, heads_limit = 1 << 20, window = 192 << 10, piece = 128 << 10 };

struct vault_wire {
  CURL *easy;
  CURLM *multi;
  struct curl_slist *headers;
  int attached, over, paused;
  CURLcode result;
  char error[CURL_ERROR_SIZE];
  // The request's body: `given` bytes are curl's, then up to `filled` wait in the window.
  uint8_t *window;
  int starved, sent_before;
  size_t front;
  int64_t length, given, filled;
  // The answer.
  int status, head_too_long;
  size_t head_used, heads_total, kept;
  uint8_t head[head_limit];
  uint8_t *body;
};

// Gives libcurl the callbacks that work on this wire.
int vault_wire_set_callbacks(vault_wire *wire);
