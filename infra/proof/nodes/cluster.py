"""Several nodes on one database."""

import random
import time


class Cluster:
    """Several nodes, which receive requests at random."""

    def __init__(self, nodes, seed):
        self.nodes = nodes
        self.random = random.Random(seed)

    def call(self, user, method, path, body=None, headers=None):
        return self.random.choice(self.nodes).call(user, method, path, body, headers, timeout=8)

    def sql(self, statement):
        return self.nodes[0].sql(statement)

    def rows_after(self, change, question):
        return self.nodes[0].rows_after(change, question)

    def segments(self):
        """Returns the number of segments of each node, by processor."""
        shares = {}
        for row in self.sql("SELECT processor_name AS processor, owner, count(*) AS segments FROM token_entry"
                            " GROUP BY processor_name, owner ORDER BY processor_name, owner"):
            shares.setdefault(row["processor"], {})[row["owner"]] = row["segments"]
        return shares

    def await_balance(self, names):
        """Waits until each of these has its share of each processor, and no other node has any. Returns the seconds."""
        began = time.time()
        while True:
            shares = self.segments()
            balanced = all(set(of) == set(names) and max(of.values()) - min(of.values()) <= 1
                           for of in shares.values())
            if balanced:
                return time.time() - began
            if time.time() - began > 240:
                raise AssertionError("not balanced: %s" % shares)
            time.sleep(0.1)
