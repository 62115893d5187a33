"""What a request must be, whatever the server then does with it: each function yields complaints.

A complaint is (name, answer code or None). With a code the request is refused, as S3 would;
without one it is only reported.
"""

import base64
import datetime
import hashlib
import hmac
import re
import urllib.parse
import zlib

STATUS = {"SignatureDoesNotMatch": 403, "AccessDenied": 403, "InvalidAccessKeyId": 403,
          "RequestTimeTooSkewed": 403, "MissingContentLength": 411, "NotImplemented": 501,
          "BadDigest": 400, "XAmzContentSHA256Mismatch": 400, "ExpiredToken": 400,
          "AuthorizationHeaderMalformed": 400, "PermanentRedirect": 301}
BODIES = {"PutObject", "UploadPart"}
CREATES = {"PutObject", "Complete"}
LIMIT = datetime.timedelta(minutes=15)


def framing(request):
    encodings = request.header("content-encoding", "").split(",")
    if request.header("transfer-encoding") is not None:
        yield "chunked", "NotImplemented"
    if any(e.strip() == "aws-chunked" for e in encodings):
        yield "aws-chunked", "NotImplemented"
    if request.header("x-amz-trailer") is not None:
        yield "trailer", "NotImplemented"
    lengths = [v for n, v in request.headers if n.lower() == "content-length"]
    if request.method in ("PUT", "POST") and not lengths:
        yield "no-content-length", "MissingContentLength"
    if len(lengths) > 1:
        yield "two-content-lengths", "MissingContentLength"
    if request.header("host") is None:
        yield "no-host", None


def payload(request, kind, allow):
    named = request.header("x-amz-content-sha256")
    presigned = "X-Amz-Signature" in request.parameters
    if named == "UNSIGNED-PAYLOAD":
        if "unsigned-payload" not in allow:
            yield "unsigned-payload", None
    elif named is None:
        if not presigned:
            yield "no-content-sha256", None
    elif named != hashlib.sha256(request.body).hexdigest():
        yield "content-sha256-differs", "XAmzContentSHA256Mismatch"
    given = [(h, request.header(h)) for h in CHECKSUMS if request.header(h) is not None]
    for header, value in given:
        if base64.b64encode(CHECKSUMS[header](request.body)).decode() != value:
            if kind in BODIES:
                yield f"{header}-differs", "BadDigest"
    if kind in BODIES and not given and "no-checksum" not in allow:
        yield "no-checksum", None


CHECKSUMS = {
    "content-md5": lambda body: hashlib.md5(body).digest(),
    "x-amz-checksum-sha256": lambda body: hashlib.sha256(body).digest(),
    "x-amz-checksum-sha1": lambda body: hashlib.sha1(body).digest(),
    "x-amz-checksum-crc32": lambda body: zlib.crc32(body).to_bytes(4, "big"),
}


def intent(request, kind, expect, allow):
    if "if-none-match" in expect and kind in CREATES and request.header("if-none-match") != "*":
        yield "no-if-none-match", None
    if "token" in expect and kind in ("PutObject", "Create"):
        if not request.header("x-amz-meta-vault-token"):
            yield "no-token", None
    if "expect" not in allow and request.header("expect") and request.length < 1 << 20:
        yield "expect-for-a-small-body", None


def quote(text):
    return urllib.parse.quote(text, safe="-._~", encoding="utf-8", errors="surrogateescape")


def canonical_path(request):
    raw = urllib.parse.unquote_to_bytes(request.path)
    return urllib.parse.quote(raw, safe="/-._~")


class Credential:
    """The parts of an Authorization header or of a presigned query."""

    def __init__(self, request):
        self.presigned = "X-Amz-Signature" in request.parameters
        if self.presigned:
            get = request.parameters.get
            fields = {"Credential": get("X-Amz-Credential"), "Signature": get("X-Amz-Signature"),
                      "SignedHeaders": get("X-Amz-SignedHeaders")}
            self.date = get("X-Amz-Date", "")
            self.lifetime = datetime.timedelta(seconds=int(get("X-Amz-Expires", "0")))
        else:
            text = request.header("authorization", "")
            fields = dict(re.findall(r"(\w+)=([^, ]+)", text))
            self.date = request.header("x-amz-date", "")
        scope = (fields.get("Credential") or "").split("/")
        self.access, self.scope = scope[0], scope[1:]
        self.signature = fields.get("Signature") or ""
        self.signed = (fields.get("SignedHeaders") or "").split(";")


def canonical_request(request, credential, payload_sha):
    pairs = sorted((quote(n), quote(v)) for n, v in request.query if n != "X-Amz-Signature")
    headers = "".join(f"{name}:{' '.join(request.header(name, '').split())}\n"
                      for name in credential.signed)
    default = "UNSIGNED-PAYLOAD" if credential.presigned else ""
    return "\n".join([request.method, canonical_path(request),
                      "&".join(f"{n}={v}" for n, v in pairs), headers,
                      ";".join(credential.signed),
                      request.header("x-amz-content-sha256", payload_sha or default)])


def expected_signature(request, credential, secret, payload_sha):
    text = canonical_request(request, credential, payload_sha)
    canonical = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", credential.date, "/".join(credential.scope), canonical])
    key = ("AWS4" + secret).encode()
    for piece in [*credential.scope, text]:
        key = hmac.digest(key, piece.encode(), "sha256")
    return key.hex()


def signature(request, config, now, payload_sha=None):
    """`payload_sha` stands in for the header x-amz-content-sha256, which only S3 knows."""
    credential = Credential(request)
    secret = config["credentials"].get(credential.access)
    if secret is None:
        yield "unknown-access-key", "InvalidAccessKeyId"
        return
    try:
        stamp = datetime.datetime.strptime(credential.date, "%Y%m%dT%H%M%SZ")
    except ValueError:
        yield "no-date", "AccessDenied"
        return
    if len(credential.scope) != 4 or credential.scope[0] != credential.date[:8]:
        yield "scope-malformed", "AuthorizationHeaderMalformed"
        return
    if not hmac.compare_digest(expected_signature(request, credential, secret, payload_sha),
                               credential.signature):
        yield "signature-differs", "SignatureDoesNotMatch"
    if credential.presigned:
        if now > stamp + credential.lifetime:
            yield "url-expired", "AccessDenied"
    elif abs(stamp - now) > LIMIT:
        yield ("clock" if config["clock_skew"] else "date-is-old"), "RequestTimeTooSkewed"
    if config["region"] not in (None, credential.scope[1]):
        yield "region", config["wrong_region"]
    yield from session(request, credential, config, now)
    yield from signed_enough(request, credential)


def session(request, credential, config, now):
    token, until = config["sessions"].get(credential.access, (None, None))
    given = request.header("x-amz-security-token",
                           request.parameters.get("X-Amz-Security-Token"))
    if token and given != token:
        yield "session-token-differs", "AccessDenied"
    elif until and now > until:
        yield "session-expired", "ExpiredToken"


def signed_enough(request, credential):
    if canonical_path(request) != request.path:
        yield "path-not-canonical", None
    for name, _ in request.headers:
        name = name.lower()
        if (name == "host" or name.startswith("x-amz-")) and name not in credential.signed:
            yield f"not-signed-{name}", None
