"""An S3 in memory: what vault-put and vault-get ask for, as strict as the strictest server."""

import base64
import collections
import dataclasses
import hashlib
import re
import secrets
import threading
import xml.etree.ElementTree as xml
from xml.sax.saxutils import escape

from answers import document, error, parts_page, ranged
from wire import Answer

KEPT = re.compile(r"x-amz-meta-|x-amz-checksum-|content-type$|content-encoding$|cache-control$")


def kind_of(request):
    """The name of the operation that a request asks for."""
    has = request.parameters.__contains__
    if not request.key:
        if request.method == "GET" and not request.bucket:
            return "ListBuckets"
        names = {"PUT": "CreateBucket", "HEAD": "HeadBucket",
                 "GET": "ListUploads" if has("uploads") else "ListObjects"}
        return names.get(request.method, "Other")
    if has("uploadId"):
        return {"PUT": "UploadPart", "POST": "Complete", "DELETE": "Abort",
                "GET": "ListParts"}.get(request.method, "Other")
    if request.method == "POST":
        return "Create" if has("uploads") else "Other"
    return {"PUT": "PutObject", "HEAD": "HeadObject", "GET": "GetObject",
            "DELETE": "DeleteObject"}.get(request.method, "Other")


@dataclasses.dataclass
class Stored:
    body: bytes
    etag: str
    headers: dict
    version: str


class MiniS3:
    def __init__(self, config):
        self.config = config
        self.lock = threading.RLock()
        self.objects = {}
        self.uploads = {}
        self.buckets = set(config["buckets"])

    def handle(self, kind, request):
        if kind not in ("CreateBucket", "ListBuckets") and request.bucket not in self.buckets:
            return error(404, "NoSuchBucket")
        with self.lock:
            method = getattr(self, "on_" + kind, None)
            return method(request) if method else error(405, "MethodNotAllowed")

    def store(self, where, body, etag, headers):
        version = secrets.token_hex(8)
        self.objects[where] = Stored(body, etag, headers, version)
        return {"x-amz-version-id": version} if self.config["versioning"] else {}

    def refused(self, request):
        """If-None-Match: * and If-Match, before anything is written."""
        found = self.objects.get((request.bucket, request.key))
        if request.header("if-none-match") == "*" and found:
            return error(412, "PreconditionFailed")
        wanted = request.header("if-match")
        if wanted and (not found or wanted not in ("*", found.etag)):
            return error(412, "PreconditionFailed")
        return None

    def on_CreateBucket(self, request):
        self.buckets.add(request.bucket)
        return Answer(200, {"Location": "/" + request.bucket})

    def on_HeadBucket(self, request):
        return Answer(200, {"x-amz-bucket-region": self.config["region"] or "us-east-1"})

    def on_ListObjects(self, request):
        prefix = request.parameters.get("prefix", "")
        found = sorted((key, value) for (bucket, key), value in self.objects.items()
                       if bucket == request.bucket and key.startswith(prefix))
        rows = "".join(f"<Contents><Key>{escape(key)}</Key><ETag>{escape(value.etag)}</ETag>"
                       f"<Size>{len(value.body)}</Size></Contents>" for key, value in found)
        return document("ListBucketResult", f"<KeyCount>{len(found)}</KeyCount>"
                        f"<IsTruncated>false</IsTruncated>{rows}")

    def on_ListUploads(self, request):
        rows = "".join(f"<Upload><Key>{escape(u.key)}</Key><UploadId>{i}</UploadId></Upload>"
                       for i, u in self.uploads.items() if u.bucket == request.bucket)
        return document("ListMultipartUploadsResult", f"<IsTruncated>false</IsTruncated>{rows}")

    def on_PutObject(self, request):
        refusal = self.refused(request)
        if refusal:
            return refusal
        etag = f'"{hashlib.md5(request.body).hexdigest()}"'
        kept = kept_headers(request)
        extra = self.store((request.bucket, request.key), request.body, etag, kept)
        sums = {n: v for n, v in kept.items() if n.startswith("x-amz-checksum-")}
        return Answer(200, {"ETag": etag, **sums, **extra})

    def on_DeleteObject(self, request):
        self.objects.pop((request.bucket, request.key), None)
        return Answer(204)

    def on_HeadObject(self, request):
        return self.on_GetObject(request)

    def on_GetObject(self, request):
        found = self.objects.get((request.bucket, request.key))
        if not found:
            return error(404, "NoSuchKey")
        refusal = self.refused(request)
        if refusal:
            return refusal
        headers = {"ETag": found.etag, "Accept-Ranges": "bytes", **found.headers}
        if self.config["versioning"]:
            headers["x-amz-version-id"] = found.version
        return ranged(request.header("range"), found.body, headers)

    def on_Create(self, request):
        upload = secrets.token_urlsafe(24) + "+/="
        self.uploads[upload] = Upload(request.bucket, request.key, kept_headers(request))
        return document("InitiateMultipartUploadResult",
                        f"<Bucket>{request.bucket}</Bucket><Key>{escape(request.key)}</Key>"
                        f"<UploadId>{upload}</UploadId>")

    def upload(self, request):
        upload = self.uploads.get(request.parameters["uploadId"])
        same = upload and (upload.bucket, upload.key) == (request.bucket, request.key)
        return upload if same else None

    def on_UploadPart(self, request):
        upload = self.upload(request)
        if not upload:
            return error(404, "NoSuchUpload")
        number = int(request.parameters.get("partNumber", "0"))
        if not 1 <= number <= self.config["max_parts"]:
            return error(400, "InvalidArgument", "Part number is out of range")
        etag = f'"{hashlib.md5(request.body).hexdigest()}"'
        upload.parts[number] = (request.body, etag)
        sums = {n: v for n, v in kept_headers(request).items() if n.startswith("x-amz-checksum-")}
        return Answer(200, {"ETag": etag, **sums})

    def on_Abort(self, request):
        if not self.upload(request):
            return error(404, "NoSuchUpload")
        del self.uploads[request.parameters["uploadId"]]
        return Answer(204)

    def on_ListParts(self, request):
        upload = self.upload(request)
        if not upload:
            return error(404, "NoSuchUpload")
        after = int(request.parameters.get("part-number-marker", "0"))
        size = min(int(request.parameters.get("max-parts", "1000")), self.config["page_size"])
        numbers = sorted(n for n in upload.parts if n > after)
        return parts_page(upload, numbers[:size], len(numbers) > size)

    def on_Complete(self, request):
        upload = self.upload(request)
        if not upload:
            return error(404, "NoSuchUpload")
        refusal = self.refused(request) or self.wrong_parts(request, upload)
        if refusal:
            return refusal
        bodies = [upload.parts[n][0] for n, _, _ in listed_parts(request)]
        sums = b"".join(hashlib.md5(body).digest() for body in bodies)
        etag = f'"{hashlib.md5(sums).hexdigest()}-{len(bodies)}"'
        extra = self.store((upload.bucket, upload.key), b"".join(bodies), etag, upload.headers)
        del self.uploads[request.parameters["uploadId"]]
        answer = document("CompleteMultipartUploadResult",
                          f"<Location>{escape(request.path)}</Location><Bucket>{upload.bucket}"
                          f"</Bucket><Key>{escape(upload.key)}</Key><ETag>{escape(etag)}</ETag>")
        answer.headers.update(extra)
        return answer

    def wrong_parts(self, request, upload):
        try:
            listed = listed_parts(request)
        except (xml.ParseError, ValueError):
            listed = []
        if not listed:
            return error(400, "MalformedXML")
        numbers = [number for number, _, _ in listed]
        if numbers != sorted(set(numbers)):
            return error(400, "InvalidPartOrder")
        for number, etag, checksum in listed:
            body, kept = upload.parts.get(number, (b"", None))
            sha = base64.b64encode(hashlib.sha256(body).digest()).decode()
            if kept is None or etag.strip('"') != kept.strip('"') or checksum not in (None, sha):
                return error(400, "InvalidPart")
            if number != numbers[-1] and len(body) < self.config["min_part"]:
                return error(400, "EntityTooSmall")
        return None


@dataclasses.dataclass
class Upload:
    bucket: str
    key: str
    headers: dict
    parts: dict = dataclasses.field(default_factory=collections.OrderedDict)


def kept_headers(request):
    return {name.lower(): value for name, value in request.headers if KEPT.match(name.lower())}


def listed_parts(request):
    """(number, etag, SHA-256 or None) of each part that a Complete names, in its order."""
    rows = []
    for element in xml.fromstring(request.body):
        fields = {child.tag.rpartition("}")[2]: child.text or "" for child in element}
        rows.append((int(fields["PartNumber"]), fields.get("ETag", ""),
                     fields.get("ChecksumSHA256")))
    return rows
