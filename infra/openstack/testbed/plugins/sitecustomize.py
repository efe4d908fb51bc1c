"""Settings of the interpreter for all services of the testbed.

Services that load many rows spend up to a tenth of their CPU on the search for cycles of objects.
"""

import gc

gc.set_threshold(100_000, 20, 20)
