"""Clients that take all they can get: slow bodies, unread answers, large requests, many refusals."""

import asyncio
import collections
import contextlib
import datetime
import json
import time

from harness.engine import login
from harness.leases import wish

LARGEST_BODY = 1_000_000
RESERVATIONS = 3_000
PIPELINED = 20

# Each kind of client has a user of its own, so that the limits of one kind do not stop the other kinds.
USERS = ("slow", "large", "refused")
REFUSALS_A_SECOND = 50


class Greed:
    """
    All greedy clients, in one event loop. Half of the slow bodies are anonymous.
    `counts` has the answers by (kind, status); status 0 is a connection that ended without an answer.
    """

    def __init__(self, port, percent, sold_out):
        self.port = port
        self.percent = percent
        self.sold_out = sold_out
        self.counts = collections.Counter()

    def run(self, enough, longest):
        """Returns the counts when the event `enough` is set, or after the longest time in seconds."""
        asyncio.run(self._all(enough, time.monotonic() + longest))
        return self.counts

    def _share(self, whole):
        return max(1, whole * self.percent // 100)

    async def _all(self, enough, until):
        clients = [self._slow_body(number) for number in range(self._share(500))]
        clients += [self._unread_answers() for _ in range(self._share(200))]
        clients += [self._posts("large body", "large", nested()) for _ in range(self._share(60))]
        clients += [self._posts("many reservations", "large", many_reservations()) for _ in range(2)]
        clients += [self._refusals(number) for number in range(self._share(REFUSALS_A_SECOND))]
        greed = asyncio.gather(*(self._again(client) for client in clients))
        while not (enough.is_set() or greed.done() or time.monotonic() > until):
            await asyncio.sleep(0.2)
        greed.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await greed

    @staticmethod
    async def _again(client):
        """Runs a greedy client again each time the engine closes its connection."""
        while True:
            with contextlib.suppress(OSError):  # The engine closed the connection.
                await client()
            await asyncio.sleep(0.2)

    def _slow_body(self, number):
        user = authorization("slow") if number % 2 else ""

        async def client():
            reader, writer = await self._connect()
            writer.write(self._head("POST", "/api/leases", 60_000, user))
            trickling = asyncio.create_task(trickle(writer))
            try:
                self._count("slow body", await status(reader))
            finally:
                trickling.cancel()
                writer.transport.abort()
        return client

    def _unread_answers(self):
        async def client():
            _, writer = await self._connect(buffer=1)
            writer.write(self._head("GET", "/openapi.json", None, "") * PIPELINED)
            try:
                # A write to a connection that the engine has closed fails.
                await trickle(writer)
            finally:
                self.counts["unread answers", 0] += 1
                writer.transport.abort()
        return client

    def _posts(self, kind, user, body):
        async def client():
            await self._post(kind, user, body)
        return client

    def _refusals(self, number):
        body = json.dumps(self.sold_out[number % len(self.sold_out)]).encode()

        async def client():
            await self._post("refusal", "refused", body)
            await asyncio.sleep(0.8)
        return client

    async def _post(self, kind, user, body):
        reader, writer = await self._connect()
        try:
            writer.write(self._head("POST", "/api/leases", len(body), authorization(user) + "Connection: close\r\n"))
            writer.write(body)
            self._count(kind, await status(reader))
        finally:
            writer.transport.abort()

    def _count(self, kind, answer):
        self.counts[kind, answer] += 1

    def _connect(self, buffer=65536):
        return asyncio.open_connection("127.0.0.1", self.port, limit=buffer)

    def _head(self, method, path, length, more):
        body = "" if length is None else "Content-Type: application/json\r\nContent-Length: %d\r\n" % length
        return ("%s %s HTTP/1.1\r\nHost: localhost\r\n%s%s\r\n" % (method, path, more, body)).encode()


def authorization(user):
    return "Authorization: %s\r\n" % login(user, user)


async def trickle(writer):
    while True:
        await asyncio.sleep(0.5)
        writer.write(b" ")
        await writer.drain()


async def status(reader):
    line = await reader.readline()
    return int(line.split()[1]) if line else 0


def nested():
    """Returns a body of deep and wide JSON, near the limit of bytes."""
    element = "[" * 100 + "]" * 100 + ","
    return ('{"name":"large","reservations":[' + element * (LARGEST_BODY // len(element)) + "[]]}").encode()


def many_reservations():
    start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=400)
    asked = wish("many", start, 3600, 1)
    asked["reservations"] = asked["reservations"] * RESERVATIONS
    return json.dumps(asked).encode()
