"""Where a tool gets credentials from: IMDSv2, the container endpoint, STS. In the same server as S3, so
that every fault can meet these requests too, and so that what was issued is what S3 then accepts.

  AWS_EC2_METADATA_SERVICE_ENDPOINT=URL        kinds ImdsToken, ImdsRole, ImdsCredentials
  AWS_CONTAINER_CREDENTIALS_FULL_URI=URL/container                              kind Container
  AWS_ENDPOINT_URL_STS=URL                     AssumeRole, AssumeRoleWithWebIdentity; kind Sts
"""

import datetime
import hashlib
import json
import secrets
import threading
import urllib.parse
from xml.sax.saxutils import escape

import checks
from answers import error
from wire import Answer

IMDS = "/latest/meta-data/iam/security-credentials/"
KINDS = {"ImdsToken", "ImdsRole", "ImdsCredentials", "Container", "Sts"}


def kind_of(request):
    if request.path == "/latest/api/token":
        return "ImdsToken"
    if request.path.startswith(IMDS):
        return "ImdsCredentials" if request.path != IMDS else "ImdsRole"
    if request.path == "/container":
        return "Container"
    return "Sts" if (request.method, request.path) == ("POST", "/") else None


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class Issuer:
    """Gives the entries of `issued` one after another, the last one again and again."""

    def __init__(self, config):
        self.config, self.count, self.lock = config, 0, threading.Lock()
        self.session = secrets.token_urlsafe(24)

    def next(self, now):
        with self.lock:
            entry = self.config["issued"][min(self.count, len(self.config["issued"]) - 1)]
            self.count += 1
        until = now + datetime.timedelta(seconds=entry.get("expires_in", 3600))
        self.config["credentials"][entry["access"]] = entry["secret"]
        self.config["sessions"][entry["access"]] = (entry["token"], until)
        return {"AccessKeyId": entry["access"], "SecretAccessKey": entry["secret"],
                "Token": entry["token"], "Expiration": stamp(until)}

    def complaints(self, kind, request, now):
        config = self.config
        if kind == "ImdsToken" and request.method != "PUT":
            yield "imds-token-needs-put", "AccessDenied"
        if kind == "ImdsToken" and not request.header("x-aws-ec2-metadata-token-ttl-seconds"):
            yield "no-ttl", "AccessDenied"
        if kind in ("ImdsRole", "ImdsCredentials"):
            if request.header("x-aws-ec2-metadata-token") != self.session:
                yield "no-imds-token", "AccessDenied"
        wanted = config["container_authorization"]
        if kind == "Container" and wanted and request.header("authorization") != wanted:
            yield "container-authorization", "AccessDenied"
        if kind == "Sts":
            yield from self.sts_complaints(request, now)

    def sts_complaints(self, request, now):
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        wanted = self.config["role_arn"]
        if wanted and form.get("RoleArn") != wanted:
            yield "role-arn", "AccessDenied"
        if not form.get("RoleSessionName"):
            yield "no-session-name", "AccessDenied"
        if form.get("Action") == "AssumeRole":
            sha = hashlib.sha256(request.body).hexdigest()
            yield from checks.signature(request, self.config, now, sha)
        elif form.get("Action") == "AssumeRoleWithWebIdentity":
            wanted = self.config["web_identity_token"]
            if wanted and form.get("WebIdentityToken") != wanted:
                yield "web-identity-token", "AccessDenied"
            if request.header("authorization"):
                yield "web-identity-is-signed", None
        else:
            yield "sts-action", "AccessDenied"

    def handle(self, kind, request, now):
        if kind == "ImdsToken":
            return Answer(200, {"x-aws-ec2-metadata-token-ttl-seconds": "21600"},
                          self.session.encode())
        if kind == "ImdsRole":
            return Answer(200, {}, b"vault-role")
        if kind == "ImdsCredentials" and request.path != IMDS + "vault-role":
            return error(404, "NotFound")
        found = self.next(now)
        if kind == "Sts":
            form = dict(urllib.parse.parse_qsl(request.body.decode()))
            return sts_answer(form["Action"], found)
        return Answer(200, {"Content-Type": "application/json"},
                      json.dumps({"Code": "Success", "Type": "AWS-HMAC", **found}).encode())


def sts_answer(action, found):
    found["SessionToken"] = found.pop("Token")
    inner = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in found.items())
    text = (f'<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{action}Result>'
            f"<Credentials>{inner}</Credentials></{action}Result></{action}Response>")
    return Answer(200, {"Content-Type": "text/xml"}, text.encode())
