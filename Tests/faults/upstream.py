"""The backend of the proxy: a real server, asked with the very headers that the client sent."""

import http.client
import urllib.parse

from wire import Answer

HOP = {"connection", "keep-alive", "transfer-encoding", "proxy-connection", "expect"}


class Upstream:
    def __init__(self, url, config):
        self.place = urllib.parse.urlsplit(url).netloc
        self.config = config
        self.objects, self.uploads = {}, {}

    def upload(self, request):
        return None

    def handle(self, kind, request):
        connection = http.client.HTTPConnection(self.place, timeout=60)
        try:
            connection.putrequest(request.method, request.target, skip_host=True,
                                  skip_accept_encoding=True)
            for name, value in request.headers:
                if name.lower() not in HOP:
                    connection.putheader(name, value)
            connection.endheaders(request.body or None)
            answer = connection.getresponse()
            body = answer.read()
            headers = {n: v for n, v in answer.getheaders() if n.lower() not in HOP}
            headers = {n: v for n, v in headers.items()
                       if request.method == "HEAD" or n.lower() != "content-length"}
            return Answer(answer.status, headers, body)
        finally:
            connection.close()
