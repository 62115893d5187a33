#define _GNU_SOURCE  // memmem
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "Wire.h"

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
  if (wire->given == wire->length) wire->sent_before = 1;
  wire->given = wire->filled = offset;
  wire->front = 0;
  return CURL_SEEKFUNC_OK;
}

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

int vault_wire_set_callbacks(vault_wire *wire) {
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
