#pragma once
#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// One HTTP exchange at a time over a connection of its own: a curl easy handle driven by a curl
// multi handle. The callbacks stay in C and touch plain memory; Swift drives the loop and never runs
// inside curl. A wire is used by one thread at a time, not always the same.
typedef struct vault_wire vault_wire;

// Once a process, before any other thread. 0 is success.
int vault_wire_global(void);

vault_wire *vault_wire_new(void);
void vault_wire_free(vault_wire *wire);

// Forgets the last exchange, keeps the connections, sets everything that all exchanges share.
int vault_wire_prepare(vault_wire *wire, const char *method, const char *url);
int vault_wire_header(vault_wire *wire, const char *line);
int vault_wire_ca_file(vault_wire *wire, const char *path);
int vault_wire_no_proxy(vault_wire *wire);
int vault_wire_connect_timeout(vault_wire *wire, long milliseconds);

// The request's body: its length is said before, its bytes are put into the wire's window whenever
// there is room. curl may go back to the start when a kept connection turns out to be dead.
int vault_wire_body_length(vault_wire *wire, int64_t length);
// Room for more of the body, which begins at *offset; NULL: none is wanted now.
uint8_t *vault_wire_room(vault_wire *wire, size_t *room, int64_t *offset);
void vault_wire_filled(vault_wire *wire, size_t count);
// Whether a part of the body was not sent: with a status, the answer came early.
int vault_wire_unsent(const vault_wire *wire);
// Whether any of the request was sent, and all of it; also over a connection that curl then gave up.
int vault_wire_sent(const vault_wire *wire);
int vault_wire_sent_all(const vault_wire *wire);

int vault_wire_start(vault_wire *wire);
// Moves what can be moved without waiting. 1: the exchange is over, 0: it is not.
int vault_wire_move(vault_wire *wire);
// Waits until something can be moved or the time is over. Returns the milliseconds waited.
int vault_wire_wait(vault_wire *wire, int milliseconds);
// Ends the exchange, over or not. An unfinished one loses its connection.
void vault_wire_finish(vault_wire *wire);

// Bytes that moved so far, both ways: a stalled exchange is one where this stands still.
int64_t vault_wire_moved(vault_wire *wire);

// The answer: status is 0 until a final (not 1xx) head is complete.
int vault_wire_status(const vault_wire *wire);
const uint8_t *vault_wire_head(const vault_wire *wire, size_t *length);
// The body bytes that wait to be taken; vault_wire_taken makes room for more.
const uint8_t *vault_wire_answer(const vault_wire *wire, size_t *length);
void vault_wire_taken(vault_wire *wire);

// What ended it.
CURLcode vault_wire_result(const vault_wire *wire);
int vault_wire_head_too_long(const vault_wire *wire);
int vault_wire_os_errno(const vault_wire *wire);
const char *vault_wire_error_text(const vault_wire *wire);
int vault_wire_strerror(int number, char *text, size_t capacity);
