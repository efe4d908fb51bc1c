"""The zone of ordinary servers, where Nova has no filter in the scheduler for zones.

Nova before 2023.2 has this filter. It keeps servers of the zone `nova` on hosts that no aggregate puts into a zone.
Later releases ask Placement for the aggregate of a zone, and `nova` is none. Without a plug-in, the ordinary hosts
then need an aggregate and a zone of their own, which is the default of servers without a zone.
"""

from testbed import release

HAS_FILTER = release.NAME == "bookworm"

# The usual zone of a server that names none.
DEFAULT = "nova" if HAS_FILTER else "ordinary"

# Hosts that are never leased, and are in the default zone.
HOSTS = () if HAS_FILTER else ("ordinary-001", "ordinary-002")

# For a server that its flavor or its user sends to a host outside of the default zone.
ANYWHERE = {} if HAS_FILTER else {"availability_zone": "nova"}
