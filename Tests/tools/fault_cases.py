"""The table: which fault meets which request, and what must come of it. One row a case.

A row is (name, rules, wanted, more). `wanted` begins with the exit code and the receipt's status, then
words: a fault's name; `gone` (no object; else the right one is there); `open=N` uploads left open;
`other` (another's object is there); `nolist` (ListParts is not counted). Then the requests, as the server
counted them: H HeadObject, P PutObject, C Create, U UploadPart, X Complete, A Abort, L ListParts;
`U3+` is at least three. `more`: size (`whole`, else three parts), options, env, settings, says (in
standard error), proof.

One part is: look, PUT, look. Three are: look, Create, 3 parts, look, Complete, look. A call that is
undone is followed by Abort and a listing that shows it gone, then by a look when it may have happened.
What was sent to its end or broken off without an answer may still happen: `unknown`, until a look shows it.
"""

SLOW_DOWN = {"action": "status", "status": 503, "code": "SlowDown"}


def rule(match, action, **more):
    return {"match": match, "action": action, **more}


def status(match, code, name="", **more):
    return rule(match, "status", status=code, code=name or "Code", **more)


def whole(name, rules, wanted, **more):
    return name, rules if isinstance(rules, list) else [rules], wanted, {"size": "whole", **more}


def parts(name, rules, wanted, **more):
    return name, rules if isinstance(rules, list) else [rules], wanted, more


FOREVER = {"count": 0}
QUICK = ["--idle-timeout", "1"]
# On a connection of its own, each request: libcurl sends one more time at once, by itself, what went
# out on a kept connection that turned out to be dead.
# A server that closes without a word may do it while the next request is under way on that connection.
FRESH = {"settings": {"keep_alive": "announced"}}


def passing(kind):
    """Faults that pass: met once, the next try is good. (name, rule, more, whether in doubt)."""
    quick, clear = {"options": QUICK}, kind == "Complete"  # whose every failure is settled by looking
    for how in ("reset-before", "reset-after"):
        yield f"{how}, kept connection", rule(kind, how), {}, False
        yield f"{how}, fresh connection", rule(kind, how), FRESH, True
    yield "500", status(kind, 500, "InternalError"), {}, True
    yield "503 with Retry-After", {"match": kind, **SLOW_DOWN, "retry_after": 1}, {}, True
    yield "429", status(kind, 429, "TooManyRequests"), {}, clear
    yield "400 RequestTimeout", status(kind, 400, "RequestTimeout"), {}, clear
    yield "409 conflict", status(kind, 409, "ConditionalRequestConflict"), {}, clear
    yield "an answer that never comes", rule(kind, "silent", seconds=20), quick, True
    yield "a request that is never read", rule(kind, "hang", seconds=20), quick, True
    yield "502 with a page", status(kind, 502, body="<html>bad gateway</html>"), {}, True


def permanent(kind):
    """Faults that do not pass: no second try. (name, rule, exit and fault, words that are said)."""
    yield "403", status(kind, 403, "AccessDenied"), "77 failed remote-denied", "AccessDenied"
    yield "400", status(kind, 400, "InvalidArgument"), "69 failed remote-refused", "InvalidArgument"
    yield "H31 507 storage full", status(kind, 507, "XMinioStorageFull"), "69 failed storage-full", \
        "no room left"
    yield "501", status(kind, 501, "NotImplemented"), "69 failed remote-refused", "NotImplemented"
    yield "a bucket that is not there", status(kind, 404, "NoSuchBucket"), \
        "69 failed remote-refused", "no bucket"
    yield "expired credentials", status(kind, 400, "ExpiredToken"), "77 failed remote-denied", \
        "expired"
    yield "H15 301 without a region", status(kind, 301, "PermanentRedirect"), \
        "69 failed wrong-region", "AWS_REGION"


def one_part():
    yield whole("one PUT", [], "0 stored H2 P1", proof="head")
    for name, fault, more, doubt in passing("PutObject"):
        looks = 4 if doubt else 2 if "kept" in name else 3
        yield whole(f"PutObject: {name}", fault, f"0 stored H{looks} P2", **more)
    for name, fault, end, says in permanent("PutObject"):
        yield whole(f"PutObject: {name}", fault, f"{end} gone H1 P1", says=says)
    yield whole("PutObject: H02 503 for ever", {"match": "PutObject", **SLOW_DOWN, **FOREVER},
                "75 failed remote-failed gone H4 P2", says="gave up after 2 tries")
    yield whole("PutObject: reset for ever", rule("PutObject", "reset-in-body", **FOREVER),
                "75 unknown remote-unknown gone H4 P2", **FRESH)
    yield whole("PutObject: never answered", rule("PutObject", "silent", seconds=20, **FOREVER),
                "75 unknown remote-unknown gone H4 P2", options=QUICK)
    yield whole("PutObject: reset in the body", rule("PutObject", "reset-in-body"), "0 stored H4 P2",
                **FRESH)
    yield whole("PutObject: stored, answer lost", rule("PutObject", "lose-answer"), "0 stored H3 P1",
                proof="head", **FRESH)
    yield whole("PutObject: stored, answer lost, kept connection", rule("PutObject", "lose-answer"),
                "0 stored H3 P2", proof="head")
    yield whole("PutObject: stored, closed without answer",
                rule("PutObject", "lose-answer", how="fin"), "0 stored H3 P1", **FRESH)
    yield whole("PutObject: stored, answer is 500", rule("PutObject", "fail-after"), "0 stored H3 P1")
    yield whole("PutObject: answer lost, looking is forbidden",
                [rule("PutObject", "lose-answer"), status("HeadObject", 403, **FOREVER)],
                "75 unknown remote-unknown H2 P1", says="may be stored or not", **FRESH)
    yield whole("PutObject: answer lost, looking fails",
                [rule("PutObject", "lose-answer"), status("HeadObject", 500, nth=2, **FOREVER)],
                "75 unknown remote-unknown H3 P1", **FRESH)
    yield whole("PutObject: another takes the name meanwhile", rule("PutObject", "swap-object"),
                "73 exists exists other H2 P1")
    yield whole("PutObject: another took the name, and the answer is lost",
                [rule("PutObject", "reset-after"), rule("HeadObject", "swap-object", nth=2)],
                "73 exists exists other H2 P1", **FRESH)
    yield whole("PutObject: 412, and nothing is there",
                status("PutObject", 412, "PreconditionFailed"), "75 unknown remote-unknown gone H2 P1")
    yield whole("M05 PutObject: 200 with an error, once", rule("PutObject", "error-200"),
                "0 stored H4 P2")
    yield whole("M05 PutObject: 200 with AccessDenied",
                rule("PutObject", "error-200", code="AccessDenied"),
                "77 failed remote-denied gone H2 P1")
    yield whole("PutObject: 200, and nothing is there", status("PutObject", 200, body=""),
                "75 unknown remote-unknown gone H2 P1", says="nothing lies under its name")
    yield whole("H19 PutObject: an ETag that is no digest", rule("PutObject", "wrong-etag"),
                "0 stored H2 P1")
    yield whole("H12 PutObject: extra 1xx answers", rule("PutObject", "interim"), "0 stored H2 P1")
    yield whole("H11 PutObject: 100-continue is never said", rule("PutObject", "no-continue"),
                "0 stored H2 P1")
    yield whole("PutObject: early 403", rule("PutObject", "early", status=403, code="AccessDenied"),
                "77 failed remote-denied gone H1 P1", size=4)
    yield whole("PutObject: early 503, once", {**SLOW_DOWN, "match": "PutObject", "action": "early"},
                "0 stored H4 P2", size=4)
    yield whole("H15 PutObject: 301 with the region",
                status("PutObject", 301, "PermanentRedirect", region="eu-x-1"), "0 stored H3 P2")
    yield whole("H16 another region from the start", [], "0 stored H3 P1",
                settings={"region": "eu-x-1"})
    yield whole("H16 another region, told by 301", [], "0 stored H3 P1",
                settings={"region": "eu-x-1", "wrong_region": "PermanentRedirect"})
    yield whole("a clock an hour ahead of ours", [], "0 stored H3 P1", settings={"clock_skew": 3600})
    yield whole("a clock an hour behind ours", [], "0 stored H3 P1", settings={"clock_skew": -3600})
    yield whole("H01 503 three times", {"match": "PutObject", **SLOW_DOWN, "count": 3},
                "0 stored H8 P4", options=["--retries", "3"])
    yield whole("H33 first and last cause", [status("PutObject", 500, "InternalError"),
                status("PutObject", 503, "SlowDown", nth=2)],
                "75 failed remote-failed gone H4 P2", says="500 InternalError, last: cannot store")
    yield whole("connection refused", [], "75 failed remote-failed gone", says="connection refused",
                refused=True)
    yield whole("no retries", {"match": "PutObject", **SLOW_DOWN}, "75 failed remote-failed gone H2 P1",
                options=["--retries", "0"])


def looking():
    yield whole("HeadObject: 500 at first", status("HeadObject", 500), "0 stored H3 P1")
    yield whole("HeadObject: reset at first", rule("HeadObject", "reset-before"), "0 stored H3 P1")
    yield whole("HeadObject: 500 for ever", status("HeadObject", 500, **FOREVER),
                "75 failed remote-failed gone H2")
    yield whole("HeadObject: never answered", rule("HeadObject", "silent", seconds=20, **FOREVER),
                "75 failed remote-timeout gone H2", options=QUICK)
    yield whole("HeadObject: extra 1xx answers", rule("HeadObject", "interim", **FOREVER),
                "0 stored H2 P1")
    yield whole("HeadObject: 503 with Retry-After", {**SLOW_DOWN, "match": "HeadObject",
                "retry_after": 1}, "0 stored H3 P1")
    yield whole("HeadObject: 301 with the region", status("HeadObject", 301, region="eu-x-1"),
                "0 stored H3 P1")
    yield whole("HeadObject: expired credentials", status("HeadObject", 400, "ExpiredToken", **FOREVER),
                "69 failed remote-refused gone H1")
    yield whole("HeadObject: 403 for ever", status("HeadObject", 403, **FOREVER), "0 stored H2 P1",
                proof="response")
    yield whole("HeadObject: 500 after the commit", status("HeadObject", 500, nth=2, **FOREVER),
                "0 stored H3 P1", proof="response")
    yield whole("HeadObject: 404 after the commit", status("HeadObject", 404, nth=2, **FOREVER),
                "75 unknown remote-unknown H2 P1")
    yield whole("HeadObject: another's object after the commit",
                rule("HeadObject", "swap-object", nth=2), "75 unknown remote-unknown other H2 P1")
    yield parts("HeadObject: 403 for ever, three parts", status("HeadObject", 403, **FOREVER),
                "0 stored H3 C1 U3 X1", proof="response")


def create():
    for name, fault, more, _ in passing("Create"):
        looks = 3 if "kept" in name else 4
        yield parts(f"Create: {name}", fault, f"0 stored H{looks} C2 U3 X1", **more)
    for name, fault, end, says in permanent("Create"):
        yield parts(f"Create: {name}", fault, f"{end} gone H1 C1", says=says)
    yield parts("Create: 200 with an error, once", rule("Create", "error-200"), "0 stored H4 C2 U3 X1")
    yield parts("Create: 200 with an error, for ever", rule("Create", "error-200", **FOREVER),
                "75 failed remote-failed gone H2 C2")
    # Nobody knows the id of the upload that a lost answer opened: it stays, empty.
    yield parts("Create: opened, answer lost", rule("Create", "lose-answer"),
                "0 stored open=1 H4 C2 U3 X1", **FRESH)
    yield parts("Create: truncated answer", rule("Create", "truncate"), "0 stored open=1 H4 C2 U3 X1")
    yield parts("Create: extra 1xx answers", rule("Create", "interim"), "0 stored H3 C1 U3 X1")
    yield parts("Create: early 503", {**SLOW_DOWN, "match": "Create", "action": "early"},
                "0 stored H4 C2 U3 X1")


def upload_part():
    for name, fault, more, _ in passing("UploadPart"):
        yield parts(f"M12 M13 UploadPart: {name}", {**fault, "part": 2}, "0 stored H3 C1 U4 X1",
                    **more)
    yield parts("M05 UploadPart: 200 with an error, once", rule("UploadPart", "error-200", part=2),
                "0 stored H3 C1 U4 X1")
    yield parts("M05 UploadPart: 200 with AccessDenied",
                rule("UploadPart", "error-200", part=2, code="AccessDenied"),
                "77 failed remote-denied gone H1 C1 U2 A1 L1", options=["--jobs", "1"])
    for name, fault, end, says in permanent("UploadPart"):
        yield parts(f"M11 O05 UploadPart: {name}", {**fault, "part": 2}, f"{end} gone H1 C1 U2 A1 L1",
                    says=says, options=["--jobs", "1"])
    yield parts("M12 UploadPart: reset in the body", rule("UploadPart", "reset-in-body", part=2,
                bytes=1 << 20), "0 stored H3 C1 U4 X1")
    yield parts("UploadPart: every part is reset once", rule("UploadPart", "reset-in-body", count=3),
                "0 stored H3 C1 U6 X1", options=["--retries", "3"])
    yield parts("UploadPart: 503 for ever", {"match": "UploadPart", "part": 3, **SLOW_DOWN, **FOREVER},
                "75 failed remote-failed gone H1 C1 U4 A1 L1", says="SlowDown")
    yield parts("UploadPart: stored, answer lost", rule("UploadPart", "lose-answer", part=2),
                "0 stored H3 C1 U4 X1")
    yield parts("UploadPart: an answer without an ETag, once",
                rule("UploadPart", "rewrite", part=2, headers={"ETag": None}), "0 stored H3 C1 U4 X1")
    yield parts("UploadPart: an answer without an ETag, for ever",
                rule("UploadPart", "rewrite", headers={"ETag": None}, **FOREVER),
                "75 failed remote-failed gone H1 C1 U2+ A1 L1", options=["--jobs", "1"])
    yield parts("UploadPart: wrong ETag", rule("UploadPart", "wrong-etag", part=2),
                "69 failed remote-refused gone H2 C1 U3 X1 A1 L1", says="InvalidPart")
    yield parts("M15 UploadPart: a lower-case etag, parts out of order",
                [rule("UploadPart", "delay", part=1, seconds=1),
                 rule("UploadPart", "rewrite", part=2, headers={"etag": "x"})],
                "69 failed remote-refused gone H2 C1 U3 X1 A1 L1", says="InvalidPart")
    yield parts("M15 parts end in the order 3, 2, 1",
                [rule("UploadPart", "delay", part=1, seconds=0.8),
                 rule("UploadPart", "delay", part=2, seconds=0.4)], "0 stored H3 C1 U3 X1")
    yield parts("P09 UploadPart: early 403", rule("UploadPart", "early", part=2, status=403,
                code="AccessDenied"), "77 failed remote-denied gone H1 C1 U2 A1 L1",
                options=["--jobs", "1"])
    yield parts("UploadPart: the upload is gone", status("UploadPart", 404, "NoSuchUpload", part=2),
                "69 failed missing-object gone H1 C1 U2 A1 L1", options=["--jobs", "1"])
    yield parts("UploadPart: extra 1xx answers", rule("UploadPart", "interim", **FOREVER),
                "0 stored H3 C1 U3 X1")
    yield parts("H14 a kept connection that closes", rule("*", "close-after", **FOREVER),
                "0 stored H3 C1 U3 X1")
    yield parts("H14 a 408 into the idle connection", rule("UploadPart", "unasked", seconds=0.1,
                **FOREVER), "0 stored H3 C1 U3 X1")
    yield parts("no keep-alive", [], "0 stored H3 C1 U3 X1", settings={"keep_alive": False})
    yield parts("H16 M12 301 in the middle", status("UploadPart", 301, "PermanentRedirect", part=2,
                region="eu-x-1"), "0 stored H3 C1 U4 X1")


def complete():
    for name, fault, more, doubt in passing("Complete"):
        looks = 5 if doubt else 3
        yield parts(f"Complete: {name}", fault, f"0 stored H{looks} C1 U3 X2", **more)
    for name, fault, end, says in permanent("Complete"):
        yield parts(f"Complete: {name}", fault, f"{end} gone H2 C1 U3 X1 A1 L1", says=says)
    done = "0 stored H4 C1 U3 X1"
    yield parts("M07 Complete: done, answer lost", rule("Complete", "lose-answer"), done, proof="head",
                **FRESH)
    yield parts("M07 Complete: done, answer lost, kept connection", rule("Complete", "lose-answer"),
                "0 stored H4 C1 U3 X2", proof="head")
    yield parts("Complete: done, closed without answer", rule("Complete", "lose-answer", how="fin"),
                done, **FRESH)
    yield parts("Complete: done, answer is 500", rule("Complete", "fail-after"), done)
    yield parts("M07 Complete: done, answer is 404 NoSuchUpload",
                rule("Complete", "fail-after", status=404, code="NoSuchUpload"), done)
    yield parts("Complete: done, answer is 412",
                rule("Complete", "fail-after", status=412, code="PreconditionFailed"), done)
    yield parts("Complete: done, answer is 409",
                rule("Complete", "fail-after", status=409, code="ConditionalRequestConflict"), done)
    yield parts("Complete: done, truncated answer", rule("Complete", "truncate"), done)
    yield parts("Complete: done, truncated by a reset", rule("Complete", "truncate", how="rst"), done)
    yield parts("Complete: done, an answer without meaning",
                rule("Complete", "fail-after", status=200, body="<html>ok</html>"), done)
    yield parts("Complete: done, an empty answer",
                rule("Complete", "fail-after", status=200, body=""), done)
    yield parts("M05 Complete: 200 with an error, once", rule("Complete", "error-200"),
                "0 stored H5 C1 U3 X2")
    yield parts("M05 Complete: 200 with an error, for ever", rule("Complete", "error-200", **FOREVER),
                "75 failed remote-failed gone H6 C1 U3 X2 A1 L1", says="InternalError")
    yield parts("M05 Complete: 200 with AccessDenied",
                rule("Complete", "error-200", code="AccessDenied"),
                "77 failed remote-denied gone H4 C1 U3 X1 A1 L1")
    yield parts("Complete: slow white space", rule("Complete", "slow-space", seconds=2),
                "0 stored H3 C1 U3 X1", options=QUICK)
    yield parts("M05 Complete: done, slow white space, then an error",
                rule("Complete", "slow-space", error=True, code="SlowDown"), done)
    yield parts("H19 Complete: wrong ETag", rule("Complete", "wrong-etag"), "0 stored H3 C1 U3 X1")
    yield parts("Complete: extra 1xx answers", rule("Complete", "interim"), "0 stored H3 C1 U3 X1")
    yield parts("Complete: the upload is gone", status("Complete", 404, "NoSuchUpload", **FOREVER),
                "75 failed remote-failed gone H4 C1 U3 X1 A1 L1")
    yield parts("M19 Complete: a part is not known there", status("Complete", 400, "InvalidPart"),
                "69 failed remote-refused gone H2 C1 U3 X1 A1 L1")
    yield parts("Complete: another takes the name meanwhile", rule("Complete", "swap-object"),
                "73 exists exists other H3 C1 U3 X1 A1 L1")
    yield parts("M09 Complete: the name is taken, looking is forbidden",
                [rule("Complete", "swap-object"), status("HeadObject", 403, **FOREVER)],
                "75 unknown remote-unknown other H3 C1 U3 X1 A1 L1", says="may be stored or not")
    yield parts("Complete: done, answer lost, looking is forbidden",
                [rule("Complete", "lose-answer"), status("HeadObject", 403, **FOREVER)],
                "75 unknown remote-unknown H3 C1 U3 X1", says="may be stored or not", **FRESH)
    yield parts("Complete: not done, looking is forbidden",
                [rule("Complete", "reset-after"), status("HeadObject", 403, **FOREVER)],
                "75 unknown remote-unknown gone open=1 H3 C1 U3 X1", **FRESH)


def abort():
    bad = status("UploadPart", 400, "InvalidArgument", part=2)
    one = ["--jobs", "1"]
    yield parts("M09 Abort: 500, then good", [bad, status("Abort", 500)],
                "69 failed remote-refused gone H1 C1 U2 A2 L1", options=one)
    yield parts("M09 Abort: 500 for ever", [bad, status("Abort", 500, **FOREVER)],
                "69 failed remote-refused gone open=1 H1 C1 U2 A2", options=one,
                says="aws s3api abort-multipart-upload --bucket 'vault-test' --key 'a/x' --upload-id")
    yield parts("Abort: forbidden", [bad, status("Abort", 403, "AccessDenied", **FOREVER)],
                "69 failed remote-refused gone open=1 H1 C1 U2 A1", options=one, says="--upload-id")
    yield parts("Abort: done, answer lost", [bad, rule("Abort", "lose-answer")],
                "69 failed remote-refused gone H1 C1 U2 A2", options=one)
    yield parts("Abort: gone already", [bad, rule("Abort", "fail-after", status=404,
                code="NoSuchUpload")], "69 failed remote-refused gone H1 C1 U2 A1", options=one)
    yield parts("Abort: never answered, once", [bad, rule("Abort", "silent", seconds=20)],
                "69 failed remote-refused gone H1 C1 U2 A2 L1", options=one + QUICK)
    yield parts("Abort: still listed, then gone", [bad, rule("Abort", "status", status=204)],
                "69 failed remote-refused gone H1 C1 U2 A2 L2", options=one)
    yield parts("Abort: listing is forbidden", [bad, status("ListParts", 403, **FOREVER)],
                "69 failed remote-refused gone H1 C1 U2 A1 L1", options=one)
    yield parts("Abort: listing is truncated once", [bad, rule("ListParts", "truncate"),
                status("Abort", 204)], "69 failed remote-refused gone H1 C1 U2 A2 L2", options=one)
    yield parts("Abort: reset, fresh connection", [bad, rule("Abort", "reset-before")],
                "69 failed remote-refused gone H1 C1 U2 A2 L1", options=one, **FRESH)
    yield parts("Abort: 503 with Retry-After", [bad, {**SLOW_DOWN, "match": "Abort", "retry_after": 1}],
                "69 failed remote-refused gone H1 C1 U2 A2 L1", options=one)
    yield parts("Abort: 301 with the region", [bad, status("Abort", 301, "PermanentRedirect",
                region="eu-x-1")], "69 failed remote-refused gone H1 C1 U2 A2 L1", options=one)
    yield parts("Abort: listing fails once", [bad, status("ListParts", 500)],
                "69 failed remote-refused gone H1 C1 U2 A2 L1", options=one)


def cases():
    for table in (one_part, looking, create, upload_part, complete, abort):
        yield from table()
