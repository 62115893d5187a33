"""What can go wrong, each under its name. Three moments: before the body of a request is read,
instead of the backend's answer, and to the backend's answer.

An action returns True when the connection may be used again.
"""

import base64
import time

from answers import error, parts_page
from wire import Answer, Gone


def scripted(rule, request):
    """The answer that a rule spells out: status, code, message, headers, retry_after, region, body."""
    status = rule.get("status", 500)
    message = rule.get("message", "")
    if rule.get("echo"):
        message += " ".join(f"{n}: {v}" for n, v in request.headers) + " " + request.target
    more = {"Region": rule["region"]} if "region" in rule else {}
    answer = error(status, rule.get("code", "InternalError"), message, **more)
    if "region" in rule:
        answer.headers["x-amz-bucket-region"] = rule["region"]
    if "retry_after" in rule:
        answer.headers["Retry-After"] = str(rule["retry_after"])
    if "body" in rule:
        answer.body = rule["body"].encode()
    if "body_base64" in rule:
        answer.body = base64.b64decode(rule["body_base64"])
    answer.headers.update(rule.get("headers", {}))
    return answer


# ---- before the body is read

def reset_before(session, request, rule):
    """reset-before: the head has come, the connection is reset."""
    session.connection.reset()


def reset_in_body(session, request, rule):
    """reset-in-body: so many bytes (half) are read, then reset."""
    session.connection.read(rule.get("bytes", request.length // 2))
    session.connection.reset()


def early_answer(session, request, rule):
    """early: the final answer comes while the body is still being sent, which is then drained."""
    answer = scripted(rule, request)
    answer.headers["Connection"] = "close"
    session.connection.answer(answer, request)
    session.connection.drain(rule.get("seconds", 2))


def hang(session, request, rule):
    """hang: nothing is read and nothing is answered until the client has gone."""
    session.connection.drain(rule.get("seconds", 600))


BEFORE = {"reset-before": reset_before, "reset-in-body": reset_in_body, "early": early_answer,
          "hang": hang}


# ---- the body is read, the backend is not asked

def reset_after(session, request, rule):
    """reset-after: the whole body has come, nothing is done with it, the connection is reset."""
    session.connection.reset()


def status(session, request, rule):
    """status: the scripted answer (500 if it says no other)."""
    session.connection.answer(scripted(rule, request), request)
    return True


def error_200(session, request, rule):
    """error-200: status 200 and an error in the body."""
    answer = scripted(rule, request)
    answer.status = rule.get("status", 200)
    session.connection.answer(answer, request)
    return True


def silent(session, request, rule):
    """silent: the whole request is read, an answer never comes."""
    session.connection.drain(rule.get("seconds", 600))


INSTEAD = {"reset-after": reset_after, "status": status, "error-200": error_200,
           "silent": silent}


# ---- the backend has acted, its answer is spoilt

def lose_answer(session, request, rule, answer):
    """lose-answer: applied, then reset ("how": "fin" closes instead)."""
    session.connection.close() if rule.get("how") == "fin" else session.connection.reset()


def fail_after(session, request, rule, answer):
    """fail-after: applied, and the scripted answer says otherwise."""
    session.connection.answer(scripted(rule, request), request)
    return True


def rewrite(session, request, rule, answer):
    """rewrite: the real answer with another status or headers; a header of null is left out."""
    answer.status = rule.get("status", answer.status)
    replace_headers(answer, rule.get("headers", {}))
    session.connection.answer(answer, request)
    return True


def replace_headers(answer, headers):
    lower = {name.lower() for name in headers}
    answer.headers = {n: v for n, v in answer.headers.items() if n.lower() not in lower}
    answer.headers.update({n: v for n, v in headers.items() if v is not None})


def wrong_etag(session, request, rule, answer):
    """wrong-etag: the answer names another ETag, in its header and in its body."""
    wrong = '"00000000000000000000000000000bad"'
    etag = answer.headers.get("ETag")
    replace_headers(answer, {"ETag": wrong} if etag else {})
    head, mark, tail = answer.body.partition(b"<ETag>")
    if mark:
        answer.body = head + mark + b"&quot;0bad-1&quot;" + tail[tail.index(b"</ETag>"):]
    session.connection.answer(answer, request)
    return True


def truncated(session, request, rule, answer):
    """truncate: the length of the whole, so many bytes (half) of it, then FIN ("how": "rst")."""
    keep = rule.get("bytes", len(answer.body) // 2)
    answer.headers["Content-Length"] = str(len(answer.body))
    session.connection.write(answer.head() + answer.body[:keep])
    if rule.get("how") == "rst":
        time.sleep(0.05)  # lets what was sent arrive
        session.connection.reset()


def slow_space(session, request, rule, answer):
    """slow-space: 200 at once, white space for `seconds`, then the answer ("error": true: not it)."""
    connection = session.connection
    if rule.get("error"):
        answer = scripted(rule, request)
    head = Answer(200, {"Content-Type": "application/xml", "Transfer-Encoding": "chunked"}).head()
    connection.write(head + chunk(b'<?xml version="1.0" encoding="UTF-8"?>\n'))
    end = time.monotonic() + rule.get("seconds", 1)
    while time.monotonic() < end:
        connection.write(chunk(b" "))
        time.sleep(rule.get("interval", 0.1))
    connection.write(chunk(answer.body.partition(b"?>")[2]) + chunk(b""))
    return True


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def interim(session, request, rule, answer):
    """interim: extra 1xx answers with headers before the real one."""
    for code in rule.get("codes", [100, 102, 103]):
        headers = {"Connection": "keep-alive", "Link": "</x>; rel=preload", "X-Interim": str(code)}
        session.connection.write(Answer(code, headers).head())
    session.connection.answer(answer, request)
    return True


def delay(session, request, rule, answer):
    """delay: the answer comes after `seconds`."""
    time.sleep(rule.get("seconds", 1))
    session.connection.answer(answer, request)
    return True


def ignore_range(session, request, rule, answer):
    """ignore-range: 200 and the whole object, whatever range was asked for."""
    request.headers = [(n, v) for n, v in request.headers if n.lower() != "range"]
    session.connection.answer(session.server.backend.handle("GetObject", request), request)
    return True


def endless_pages(session, request, rule, answer):
    """endless-pages: the same full list each time, always truncated; "advance": markers that rise."""
    upload = session.server.backend.upload(request)
    if upload:
        after = int(request.parameters.get("part-number-marker", "0"))
        numbers = sorted(upload.parts)
        marker = after + 1 if rule.get("advance") else 0
        answer = parts_page(upload, numbers, True, marker)
    session.connection.answer(answer, request)
    return True


def close_after(session, request, rule, answer):
    """close-after: a good answer that promises to keep the connection, which then closes."""
    session.connection.answer(answer, request)


def unasked(session, request, rule, answer):
    """unasked: a good answer; `seconds` later the server says 408 into the idle connection."""
    session.connection.answer(answer, request)
    session.connection.sock.settimeout(rule.get("seconds", 1))
    try:
        session.connection.fill()
        return True
    except Gone as gone:
        if "timed out" not in str(gone):
            return False
    late = error(408, "RequestTimeout")
    late.headers.update({"Connection": "close", "Content-Length": str(len(late.body))})
    session.connection.write(late.head() + late.body)


AFTER = {"lose-answer": lose_answer, "fail-after": fail_after, "rewrite": rewrite,
         "wrong-etag": wrong_etag, "truncate": truncated, "slow-space": slow_space,
         "interim": interim, "delay": delay, "ignore-range": ignore_range,
         "endless-pages": endless_pages, "close-after": close_after, "unasked": unasked}

# These only change how the body is read; the answer is the real one.
READING = {"no-continue", "slow-read", "swap-object"}
NAMES = {*BEFORE, *INSTEAD, *AFTER, *READING}
