"""Settings of the interpreter for all services of the testbed.

Services that load many rows spend up to a tenth of their CPU on the search for cycles of objects.
Since 2024, the messaging library looks for the reply of a call each half second, and a server takes twenty calls.
"""

import gc
import importlib.util
import sys
import time
import types

gc.set_threshold(100_000, 20, 20)

MESSAGING = "oslo_messaging._drivers.amqpdriver"
WAIT = 0.5


class ShortWaits:
    """Shortens the pause between two looks for a reply, when the library is imported."""

    def find_spec(self, name, path, target=None):
        if name != MESSAGING:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def load_and_shorten(module):
            load(module)
            # Looked up at each call: eventlet replaces `time.sleep` at any time.
            module.time = types.SimpleNamespace(**{
                **vars(time), "sleep": lambda seconds: time.sleep(0.02 if seconds == WAIT else seconds)})

        spec.loader.exec_module = load_and_shorten
        return spec


sys.meta_path.insert(0, ShortWaits())
