"""The fault script: settings, and rules that say which request meets which fault.

A rule is a JSON object:
  match   kind of request ("PutObject", "Create", "UploadPart", "Complete", "Abort", "ListParts",
          "HeadObject", "GetObject", …), a list of kinds, or "*"
  part    only this part number                    when_token   only with this session token
  nth     begins with the nth matching request (1) count        for so many requests (1; 0 for ever)
  action  a name from actions.py, and what it needs beside
"""

import threading

SETTINGS = {
    "rules": [],
    "credentials": {"testkey": "testsecretkey0123456789"},
    "buckets": ["vault-test"],
    "region": None,              # a region name: any other in a scope is answered by wrong_region
    "wrong_region": "AuthorizationHeaderMalformed",   # or "PermanentRedirect"
    "clock_skew": 0,             # seconds that this server's clock is ahead
    "idle_seconds": 0,           # closes a kept connection after so long; 0: never
    "keep_alive": True,          # False: closes after each answer; "announced": and says so
    "page_size": 1000,           # ListParts
    "min_part": 5 * 1024 * 1024,
    "max_parts": 10000,
    "versioning": False,
    "verify": True,              # signatures
    "issued": [],                # credentials of issuer.py: {access, secret, token, expires_in}
    "role_arn": None, "web_identity_token": None, "container_authorization": None,   # must be these
    "expect": [],                # "if-none-match", "token": a write without them is a violation
    "allow": [],                 # "unsigned-payload", "no-checksum", "expect": no violation
}


class Script:
    def __init__(self, settings):
        unknown = settings.keys() - SETTINGS.keys()
        if unknown:
            raise ValueError(f"unknown settings: {sorted(unknown)}")
        self.config = {**SETTINGS, **settings, "sessions": {}}
        self.config["credentials"] = dict(self.config["credentials"])
        self.rules = [dict(rule, seen=0) for rule in self.config["rules"]]
        self.lock = threading.Lock()

    def pick(self, kind, request):
        """The first rule that is due for this request, or an empty one."""
        due = {}
        with self.lock:
            for rule in self.rules:
                if not matches(rule, kind, request):
                    continue
                rule["seen"] += 1
                first, count = rule.get("nth", 1), rule.get("count", 1)
                if rule["seen"] >= first and (not count or rule["seen"] < first + count):
                    due = due or rule
        return due


def matches(rule, kind, request):
    kinds = rule.get("match", "*")
    if kinds != "*" and kind not in ([kinds] if isinstance(kinds, str) else kinds):
        return False
    if "part" in rule and request.parameters.get("partNumber") != str(rule["part"]):
        return False
    if "when_token" in rule and request.header("x-amz-security-token") != rule["when_token"]:
        return False
    return True
