"""HTTP/1.1 on a socket, bare enough that an answer can be wrong on purpose."""

import dataclasses
import socket
import struct
import urllib.parse

LONGEST_HEAD = 256 * 1024


class Gone(Exception):
    """The client closed or reset the connection, or said nothing for too long."""


@dataclasses.dataclass
class Request:
    method: str
    target: str
    headers: list  # (name as sent, value)
    body: bytes = b""

    def __post_init__(self):
        path, _, query = self.target.partition("?")
        self.path = path
        self.query = urllib.parse.parse_qsl(query, keep_blank_values=True)
        self.parameters = dict(self.query)
        bucket, _, key = urllib.parse.unquote_to_bytes(path[1:]).partition(b"/")
        self.bucket, self.key = bucket.decode(), key.decode("utf-8", "surrogateescape")

    def header(self, name, default=None):
        return next((v for n, v in self.headers if n.lower() == name), default)

    @property
    def length(self):
        return int(self.header("content-length", "0"))


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict = dataclasses.field(default_factory=dict)
    body: bytes = b""

    def head(self):
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Answer')}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")


REASONS = {100: "Continue", 200: "OK", 204: "No Content", 206: "Partial Content",
           301: "Moved Permanently", 403: "Forbidden", 404: "Not Found", 411: "Length Required",
           412: "Precondition Failed", 416: "Range Not Satisfiable", 503: "Slow Down"}


class Connection:
    def __init__(self, sock):
        self.sock = sock
        self.buffer = b""
        self.announces_end = False
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fill(self):
        try:
            more = self.sock.recv(1 << 18)
        except OSError as error:
            raise Gone(str(error)) from error
        if not more:
            raise Gone("end of stream")
        self.buffer += more

    def read_request(self, idle_seconds=None):
        """The head of the next request; the body is read apart."""
        self.sock.settimeout(idle_seconds or None)
        while b"\r\n\r\n" not in self.buffer:
            if len(self.buffer) > LONGEST_HEAD:
                raise Gone("head is too long")
            self.fill()
            self.sock.settimeout(None)
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        first, *lines = head.decode("utf-8", "surrogateescape").split("\r\n")
        method, target, _ = first.split(" ", 2)
        pairs = (line.partition(":") for line in lines)
        return Request(method, target, [(name, value.strip()) for name, _, value in pairs])

    def read(self, count, pace=None):
        """The next `count` bytes; `pace` is called after each piece, to slow the reading down."""
        pieces, have = [], 0
        while have < count:
            if not self.buffer:
                self.fill()
            piece, self.buffer = self.buffer[:count - have], self.buffer[count - have:]
            pieces.append(piece)
            have += len(piece)
            if pace:
                pace(len(piece))
        return b"".join(pieces)

    def read_chunked(self):
        body = b""
        while True:
            size = int(self.read_line().split(b";")[0], 16)
            body += self.read(size)
            self.read_line()
            if not size:
                return body

    def read_line(self):
        while b"\r\n" not in self.buffer:
            self.fill()
        line, _, self.buffer = self.buffer.partition(b"\r\n")
        return line

    def write(self, data):
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise Gone(str(error)) from error

    def answer(self, answer, to):
        answer.headers.setdefault("Content-Length", str(len(answer.body)))
        if self.announces_end:
            answer.headers.setdefault("Connection", "close")
        self.write(answer.head() + (b"" if to.method == "HEAD" else answer.body))

    def reset(self):
        """Closes with RST, so that what is under way is lost on both sides."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        try:
            self.sock.close()
        except OSError:
            pass

    def drain(self, seconds):
        """Takes whatever still comes, until the client ends or `seconds` pass with nothing."""
        self.sock.settimeout(seconds)
        try:
            while True:
                self.buffer = b""
                self.fill()
        except Gone:
            pass
