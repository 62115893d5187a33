"""The answers of S3, as it words them."""

import re
from xml.sax.saxutils import escape

from wire import Answer


def error(status, code, message="", **more):
    extra = "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in more.items())
    body = (f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code>'
            f"<Message>{escape(message or code)}</Message>{extra}</Error>")
    return Answer(status, {"Content-Type": "application/xml"}, body.encode())


def document(name, inner):
    text = (f'<?xml version="1.0" encoding="UTF-8"?>\n<{name} '
            f'xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{inner}</{name}>')
    return Answer(200, {"Content-Type": "application/xml"}, text.encode())


def parts_page(upload, numbers, more, next_marker=None):
    rows = "".join(
        f"<Part><PartNumber>{n}</PartNumber><ETag>{escape(upload.parts[n][1])}</ETag>"
        f"<Size>{len(upload.parts[n][0])}</Size></Part>" for n in numbers)
    marker = next_marker if next_marker is not None else (numbers[-1] if numbers else 0)
    return document("ListPartsResult",
                    f"<Key>{escape(upload.key)}</Key><IsTruncated>{str(more).lower()}"
                    f"</IsTruncated><NextPartNumberMarker>{marker}</NextPartNumberMarker>{rows}")


def ranged(wanted, body, headers):
    """The whole body, the range of it, or 416."""
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted or "")
    if not match or match.groups() == ("", ""):
        return Answer(200, headers, body)
    first, last = match.groups()
    if not first:
        start, end = max(0, len(body) - int(last)), len(body)
        empty = int(last) == 0
    else:
        start, end = int(first), min(len(body), int(last) + 1 if last else len(body))
        empty = False
    if empty or start >= len(body):
        answer = error(416, "InvalidRange")
        answer.headers["Content-Range"] = f"bytes */{len(body)}"
        return answer
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(body)}"
    return Answer(206, headers, body[start:end])
