#define _GNU_SOURCE  // memmem
#include "CCurl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

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
  int starved;
  size_t front;
  int64_t length, given, filled;
  // The answer.
  int status, head_too_long;
  size_t head_used, heads_total, kept;
  uint8_t head[head_limit];
  uint8_t *body;
};

int vault_wire_global(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static size_t give(char *to, size_t size, size_t count, void *context) {
  vault_wire *wire = context;
  size_t room = size * count;
  if (wire->given == wire->length) return 0;
  size_t ready = (size_t)(wire->filled - wire->given);
  if (ready == 0) {
    wire->starved = 1;
    return CURL_READFUNC_PAUSE;
  }
  if (room > ready) room = ready;
  memcpy(to, wire->window + wire->front, room);
  wire->front += room;
  wire->given += (int64_t)room;
  return room;
}

// curl sends a body again from its start when a kept connection turns out to be dead.
static int rewind_body(void *context, curl_off_t offset, int origin) {
  vault_wire *wire = context;
  if (origin != SEEK_SET || offset < 0 || offset > wire->length) return CURL_SEEKFUNC_FAIL;
  wire->given = wire->filled = offset;
  wire->front = 0;
  return CURL_SEEKFUNC_OK;
}

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

static size_t take_head(char *line, size_t size, size_t count, void *context) {
  vault_wire *wire = context;
  size_t length = size * count;
  if (length >= 5 && memcmp(line, "HTTP/", 5) == 0 && wire->status == 0) wire->head_used = 0;
  if (wire->status != 0) return length;  // trailers
  wire->heads_total += length;
  if (length > head_limit - wire->head_used || wire->heads_total > heads_limit) {
    wire->head_too_long = 1;
    return 0;
  }
  memcpy(wire->head + wire->head_used, line, length);
  wire->head_used += length;
  if (length <= 2 && line[length - 1] == '\n') {
    long code = 0;
    curl_easy_getinfo(wire->easy, CURLINFO_RESPONSE_CODE, &code);
    if (code >= 200) wire->status = (int)code;
  }
  return length;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  vault_wire *wire = context;
  size_t length = size * count;
  if (!wire->body && !(wire->body = malloc(window))) return 0;
  if (length > window - wire->kept) {
    wire->paused = 1;
    return CURL_WRITEFUNC_PAUSE;
  }
  memcpy(wire->body + wire->kept, bytes, length);
  wire->kept += length;
  return length;
}

// The status of a final answer whose head is whole; *head and *end are its limits in the text.
static int final_status(const char *text, size_t length, size_t *head, size_t *end) {
  size_t at = 0;
  while (length - at > 12 && memcmp(text + at, "HTTP/1.", 7) == 0) {
    const char *blank = memmem(text + at, length - at, "\r\n\r\n", 4);
    if (!blank) return 0;
    int status = atoi(text + at + 9);
    *head = at;
    *end = at = (size_t)(blank - text) + 4;
    if (status >= 200) return status;
  }
  return 0;
}

// A server that refuses early and closes makes our next write fail, and libcurl then leaves the
// answer unread that came just before. Over TLS these bytes mean nothing and are left.
static void salvage(vault_wire *wire, curl_socket_t socket) {
  char *text = malloc(head_limit);
  size_t used = 0, head = 0, end = 0;
  ssize_t got;
  while (text && used < head_limit &&
         (got = recv(socket, text + used, head_limit - used, MSG_DONTWAIT)) > 0)
    used += (size_t)got;
  int status = text ? final_status(text, used, &head, &end) : 0;
  if (status >= 300 && (wire->body || (wire->body = malloc(window)))) {
    wire->status = status;
    wire->head_used = end - head;
    memcpy(wire->head, text + head, end - head);
    wire->kept = used - end;
    memcpy(wire->body, text + end, used - end);
  }
  free(text);
}

static int close_socket(void *context, curl_socket_t socket) {
  vault_wire *wire = context;
  int isOurs = wire->attached && !wire->over && wire->given > 0;
  if (isOurs && wire->status == 0 && wire->head_used == 0) salvage(wire, socket);
  return close(socket);
}

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

static int set_callbacks(vault_wire *wire) {
  CURL *easy = wire->easy;
  int bad = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
  bad |= curl_easy_setopt(easy, CURLOPT_HEADERDATA, wire);
  bad |= curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  bad |= curl_easy_setopt(easy, CURLOPT_WRITEDATA, wire);
  bad |= curl_easy_setopt(easy, CURLOPT_READFUNCTION, give);
  bad |= curl_easy_setopt(easy, CURLOPT_READDATA, wire);
  bad |= curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind_body);
  bad |= curl_easy_setopt(easy, CURLOPT_SEEKDATA, wire);
  bad |= curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
  bad |= curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, wire);
  return bad | curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, wire->error);
}

static void forget(vault_wire *wire) {
  vault_wire_finish(wire);
  curl_easy_reset(wire->easy);
  wire->over = wire->paused = wire->status = wire->head_too_long = wire->starved = 0;
  wire->head_used = wire->heads_total = wire->kept = 0;
  wire->length = wire->given = wire->filled = 0;
  wire->front = 0;
  wire->result = CURLE_OK;
  wire->error[0] = 0;
}

int vault_wire_prepare(vault_wire *wire, const char *method, const char *url) {
  forget(wire);
  int bad = set_callbacks(wire);
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
  bad |= set_flag(wire, CURLOPT_BUFFERSIZE, 64 << 10);
  bad |= set_flag(wire, CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10);
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
