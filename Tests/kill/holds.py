"""The fault server as a proxy that holds a request, or the answer to it, until it is told to go on."""

import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))

import actions  # noqa: E402
from fault_server import Server  # noqa: E402
from mini_s3 import kind_of  # noqa: E402

PATIENCE = 60


class Hold:
    """Held before the server acts on the request, or after it has and before it answers."""

    def __init__(self, kind, moment, nth=1):
        self.held, self.release, self.acted = (threading.Event() for _ in range(3))
        self.rule = {"match": kind, "action": f"hold-{moment}", "nth": nth, "hold": self}

    def keep(self):
        self.held.set()
        self.release.wait(PATIENCE)


def hold_before(session, request, rule):
    rule["hold"].keep()
    answer = session.handle(kind_of(request), request)
    rule["hold"].acted.set()
    session.connection.answer(answer, request)
    return True


def hold_after(session, request, rule, answer):
    rule["hold"].acted.set()
    rule["hold"].keep()
    session.connection.answer(answer, request)
    return True


actions.INSTEAD["hold-before"] = hold_before
actions.AFTER["hold-after"] = hold_after
actions.NAMES |= {"hold-before", "hold-after"}


def proxy(upstream, *holds, rules=()):
    rules = [*(hold.rule for hold in holds), *rules]
    return Server({"rules": rules, "allow": ["expect"]}, upstream).start()
