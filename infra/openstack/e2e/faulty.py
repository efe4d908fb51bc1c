"""A proxy between the product and a service of the testbed that makes requests fail at given distances."""

import collections
import contextlib
import http.client
import http.server
import itertools
import json
import sys
import threading
import time

from testbed import place


class Faulty:
    """
    Passes HTTP on. Makes the requests fail, each fault in turn, at the distances that `trouble` is given:

    late      is passed on some seconds later
    cut       does not reach the service, and there is no answer
    lost      reaches it, and there is no answer
    lie       reaches it, and the answer says that it failed
    page      reaches it, and the answer is a success, but not from the service
    busy, broken, away    does not reach it, and the answer says so
    conflict  does not reach it, as if another change had conflicted with it
    expired   nor does any other one with the same token: a new login is needed
    """

    FAULTS = ("lost", "cut", "away", "late", "lie", "busy", "conflict", "broken", "page", "expired")
    _STATUS = {"busy": 429, "broken": 500, "away": 503, "conflict": 409}

    def __init__(self, port, target, rewritten=()):
        self.port = port
        self.target = target
        self.rewritten = dict(rewritten)
        self.happened = collections.Counter()
        self.changes = []
        self._expired = set()
        self._lock = threading.Lock()
        self._none()
        faulty = self

        class Passage(_Passage):
            service = faulty

        self.server = _Server((place.LOOPBACK, port), Passage)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @contextlib.contextmanager
    def trouble(self, *faults, distances=(1,), late=3.0):
        """
        Starts faults. Distances are numbers of requests, used one after the other. A single distance would always hit
        the same request of a client that retries alone; such a client would never succeed.
        """
        with self._lock:
            self._faults, self._distances, self.late = itertools.cycle(faults), itertools.cycle(distances), late
            self._left = next(self._distances)
        try:
            yield
        finally:
            self._none()

    def _none(self):
        with self._lock:
            self._faults = None

    def next_fault(self, token):
        with self._lock:
            if token in self._expired:
                return "refused"
            if not self._faults:
                return None
            self._left -= 1
            if self._left > 0:
                return None
            self._left = next(self._distances)
            fault = next(self._faults)
            if fault == "expired":
                if not token:
                    return None
                self._expired.add(token)
            self.happened[fault] += 1
            return "refused" if fault == "expired" else fault

    def status(self, fault):
        return 401 if fault == "refused" else self._STATUS.get(fault)

    def took_effect(self, method, path, body, status):
        if method != "GET" and status < 300:
            with self._lock:
                self.changes.append((method, path, json.loads(body) if body else None))

    def rewrite(self, body):
        for address, instead in self.rewritten.items():
            body = body.replace(address.encode(), instead.encode())
        return body

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Ignores broken connections: clients are killed here."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Passage(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service = None

    def log_message(self, *what):
        pass

    def _pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fault = self.service.next_fault(self.headers.get("X-Auth-Token"))
        if fault == "cut":
            self.close_connection = True
            return
        if status := self.service.status(fault):
            self._answer(status, [("Retry-After", "1")], b'{"error": {"message": "made up"}}')
            return
        if fault == "late":
            time.sleep(self.service.late)
        status, headers, answer = self._ask(body)
        if fault == "lost":
            self.close_connection = True
        elif fault == "lie":
            self._answer(500, [], b'{"computeFault": {"message": "made up"}}')
        elif fault == "page":
            self._answer(200, [("Content-Type", "text/html")], b"<html>We are sorry.</html>")
        else:
            self._answer(status, headers, self.service.rewrite(answer))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _pass_on

    def _ask(self, body):
        connection = http.client.HTTPConnection(place.LOOPBACK, self.service.target, timeout=60)
        with contextlib.closing(connection):
            headers = {name: value for name, value in self.headers.items()
                       if name.lower() not in ("host", "connection", "content-length")}
            connection.request(self.command, self.path, body or None, headers)
            answer = connection.getresponse()
            text = answer.read()
        self.service.took_effect(self.command, self.path, body, answer.status)
        left = ("connection", "content-length", "transfer-encoding", "date", "server")
        return answer.status, [each for each in answer.getheaders() if each[0].lower() not in left], text

    def _answer(self, status, headers, body):
        with contextlib.suppress(OSError):  # No client waits for it any more.
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
