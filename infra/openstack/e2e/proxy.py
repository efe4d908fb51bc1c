"""A proxy between the product and a service of the testbed: only the product sees the service fail or hang."""

import contextlib
import socket
import threading

from testbed import place


class Proxy:
    def __init__(self, port, target):
        self.port = port
        self.target = target
        self.listener = None
        self.connections = []
        self.passing = threading.Event()
        self.passing.set()

    def open(self):
        self.listener = socket.create_server((place.LOOPBACK, self.port))
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def close(self):
        """Refuses new connections, and closes the existing ones."""
        for each in [self.listener, *self.connections]:
            # Also wakes a thread that waits for the socket.
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self.connections.clear()

    def hang(self):
        """Accepts connections, but passes nothing on."""
        self.passing.clear()

    def resume(self):
        self.passing.set()

    def _accept(self, listener):
        with contextlib.suppress(OSError):
            while True:
                caller = listener.accept()[0]
                service = socket.create_connection((place.LOOPBACK, self.target))
                self.connections += [caller, service]
                for ends in (caller, service), (service, caller):
                    threading.Thread(target=self._pass, args=ends, daemon=True).start()

    def _pass(self, here, there):
        with contextlib.suppress(OSError):
            while True:
                data = here.recv(65536)
                self.passing.wait()
                if not data:
                    break
                there.sendall(data)
        with contextlib.suppress(OSError):
            there.shutdown(socket.SHUT_WR)
