"""The share of similar cases that the check of one commit runs. The shares take turns, commit by commit.

`.ci/run` sets CHECK_TURN. Without it, each case is in the share: a script that you start runs all of them.

    infra/proof/harness/share "hosts" "instances stacks"       prints the share whose turn it is
"""

import os
import sys
import zlib


def has(number, shares):
    """Returns true if it is the turn of the share with this number, of the given number of shares."""
    turn = os.environ.get("CHECK_TURN")
    return turn is None or (number + int(turn)) % shares == 0


def has_name(name, shares):
    """Returns true if a case is in the share, by its name, because the list of cases may change."""
    return has(zlib.crc32(name.encode()), shares)


if __name__ == "__main__":
    print(*(share for number, share in enumerate(sys.argv[1:]) if has(number, len(sys.argv) - 1)))
