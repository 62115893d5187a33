#define _GNU_SOURCE  // strerrordesc_np
#include "Wire.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int vault_wire_global(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

uint8_t *vault_wire_room(vault_wire *wire, size_t *room, int64_t *offset) {
  size_t used = (size_t)(wire->filled - wire->given);
  int64_t left = wire->length - wire->filled;
  *offset = wire->filled;
  *room = window - used;
  if ((int64_t)*room > left) *room = (size_t)left;
  if (left == 0 || wire->over || wire->status >= 300 || used >= piece) return NULL;
  if (!wire->window && !(wire->window = malloc(window))) return NULL;
  memmove(wire->window, wire->window + wire->front, used);
  wire->front = 0;
  return wire->window + used;
}

void vault_wire_filled(vault_wire *wire, size_t count) { wire->filled += (int64_t)count; }

vault_wire *vault_wire_new(void) {
  vault_wire *wire = calloc(1, sizeof *wire);
  if (!wire) return NULL;
  wire->easy = curl_easy_init();
  wire->multi = curl_multi_init();
  if (wire->easy && wire->multi &&
      curl_multi_setopt(wire->multi, CURLMOPT_MAXCONNECTS, 4L) == CURLM_OK)
    return wire;
  vault_wire_free(wire);
  return NULL;
}

void vault_wire_free(vault_wire *wire) {
  if (!wire) return;
  vault_wire_finish(wire);
  curl_easy_cleanup(wire->easy);
  if (wire->multi) curl_multi_cleanup(wire->multi);
  free(wire->body);
  free(wire->window);
  free(wire);
}

static int set_flag(vault_wire *wire, CURLoption option, long value) {
  return curl_easy_setopt(wire->easy, option, value);
}

static int set_text(vault_wire *wire, CURLoption option, const char *value) {
  return curl_easy_setopt(wire->easy, option, value);
}

static void forget(vault_wire *wire) {
  vault_wire_finish(wire);
  curl_easy_reset(wire->easy);
  wire->over = wire->paused = wire->status = wire->head_too_long = wire->starved = 0;
  wire->sent_before = 0;
  wire->head_used = wire->heads_total = wire->kept = 0;
  wire->length = wire->given = wire->filled = 0;
  wire->front = 0;
  wire->result = CURLE_OK;
  wire->error[0] = 0;
}

int vault_wire_prepare(vault_wire *wire, const char *method, const char *url) {
  forget(wire);
  int bad = vault_wire_set_callbacks(wire);
  bad |= set_text(wire, CURLOPT_URL, url);
  bad |= set_text(wire, CURLOPT_PROTOCOLS_STR, "http,https");
  bad |= set_flag(wire, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  bad |= set_flag(wire, CURLOPT_PATH_AS_IS, 1);
  bad |= set_flag(wire, CURLOPT_NOSIGNAL, 1);
  bad |= set_flag(wire, CURLOPT_FOLLOWLOCATION, 0);
  bad |= set_flag(wire, CURLOPT_HTTP_CONTENT_DECODING, 0);
  bad |= set_flag(wire, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1);
  bad |= set_flag(wire, CURLOPT_SSL_VERIFYPEER, 1);
  bad |= set_flag(wire, CURLOPT_SSL_VERIFYHOST, 2);
  bad |= set_flag(wire, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
  bad |= set_flag(wire, CURLOPT_QUICK_EXIT, 1);  // a cancel does not wait for a name server
  // Wishes only: after a failed name lookup libcurl keeps its buffer and takes no other size.
  (void)set_flag(wire, CURLOPT_BUFFERSIZE, 64 << 10);
  (void)set_flag(wire, CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10);
  if (strcmp(method, "HEAD") == 0) return bad | set_flag(wire, CURLOPT_NOBODY, 1);
  return bad | set_text(wire, CURLOPT_CUSTOMREQUEST, method);
}

int vault_wire_header(vault_wire *wire, const char *line) {
  struct curl_slist *longer = curl_slist_append(wire->headers, line);
  if (!longer) return CURLE_OUT_OF_MEMORY;
  wire->headers = longer;
  return CURLE_OK;
}

int vault_wire_ca_file(vault_wire *wire, const char *path) {
  return set_text(wire, CURLOPT_CAINFO, path);
}

int vault_wire_no_proxy(vault_wire *wire) { return set_text(wire, CURLOPT_NOPROXY, "*"); }

int vault_wire_connect_timeout(vault_wire *wire, long milliseconds) {
  return set_flag(wire, CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
}

int vault_wire_body_length(vault_wire *wire, int64_t length) {
  wire->length = length;
  int bad = set_flag(wire, CURLOPT_UPLOAD, 1);
  return bad | curl_easy_setopt(wire->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)length);
}

int vault_wire_start(vault_wire *wire) {
  int bad = curl_easy_setopt(wire->easy, CURLOPT_HTTPHEADER, wire->headers);
  if (bad) return bad;
  if (curl_multi_add_handle(wire->multi, wire->easy) != CURLM_OK) return CURLE_FAILED_INIT;
  wire->attached = 1;
  return CURLE_OK;
}

// Going on may call the callbacks at once, and they may pause again.
static void unpause(vault_wire *wire) {
  int fed = wire->starved && wire->filled > wire->given;
  int taken = wire->paused && wire->kept == 0;
  if (!fed && !taken) return;
  if (fed) wire->starved = 0;
  if (taken) wire->paused = 0;
  int still = (wire->starved ? CURLPAUSE_SEND : 0) | (wire->paused ? CURLPAUSE_RECV : 0);
  curl_easy_pause(wire->easy, still);
}

int vault_wire_move(vault_wire *wire) {
  int running = 0, waiting = 0;
  if (wire->over) return 1;
  unpause(wire);
  if (curl_multi_perform(wire->multi, &running) != CURLM_OK) {
    wire->result = CURLE_FAILED_INIT;
    return wire->over = 1;
  }
  for (CURLMsg *message; (message = curl_multi_info_read(wire->multi, &waiting));)
    if (message->msg == CURLMSG_DONE) {
      wire->result = message->data.result;
      wire->over = 1;
    }
  return wire->over;
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int vault_wire_wait(vault_wire *wire, int milliseconds) {
  // A transfer that we hold back ourselves waits for us and not for the network.
  if (wire->paused || (wire->starved && wire->status < 300)) return 0;
  int64_t before = milliseconds_now();
  curl_multi_poll(wire->multi, NULL, 0, milliseconds, NULL);
  int64_t waited = milliseconds_now() - before;
  // A process that was stopped for an hour has not waited for the network for an hour.
  return waited > milliseconds ? milliseconds : (int)waited;
}

void vault_wire_finish(vault_wire *wire) {
  if (wire->attached) curl_multi_remove_handle(wire->multi, wire->easy);
  wire->attached = 0;
  if (wire->easy) curl_easy_setopt(wire->easy, CURLOPT_HTTPHEADER, NULL);
  curl_slist_free_all(wire->headers);
  wire->headers = NULL;
}

int64_t vault_wire_moved(vault_wire *wire) {
  curl_off_t sent = 0, received = 0;
  curl_easy_getinfo(wire->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
  curl_easy_getinfo(wire->easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
  return sent + received + (int64_t)wire->heads_total;
}

int vault_wire_unsent(const vault_wire *wire) { return wire->given < wire->length; }

int vault_wire_sent(const vault_wire *wire) {
  long size = 0;
  curl_easy_getinfo(wire->easy, CURLINFO_REQUEST_SIZE, &size);
  return size > 0;
}

int vault_wire_sent_all(const vault_wire *wire) {
  return vault_wire_sent(wire) && (wire->sent_before || wire->given == wire->length);
}

int vault_wire_status(const vault_wire *wire) { return wire->status; }

const uint8_t *vault_wire_head(const vault_wire *wire, size_t *length) {
  *length = wire->head_used;
  return wire->head;
}

const uint8_t *vault_wire_answer(const vault_wire *wire, size_t *length) {
  *length = wire->kept;
  return wire->body;
}

void vault_wire_taken(vault_wire *wire) { wire->kept = 0; }

CURLcode vault_wire_result(const vault_wire *wire) { return wire->result; }
int vault_wire_head_too_long(const vault_wire *wire) { return wire->head_too_long; }
const char *vault_wire_error_text(const vault_wire *wire) { return wire->error; }

int vault_wire_os_errno(const vault_wire *wire) {
  long number = 0;
  curl_easy_getinfo(wire->easy, CURLINFO_OS_ERRNO, &number);
  return (int)number;
}

int vault_wire_strerror(int number, char *text, size_t capacity) {
  const char *words = strerrordesc_np(number);
  if (!words || strlen(words) >= capacity) return -1;
  strcpy(text, words);
  return 0;
}
