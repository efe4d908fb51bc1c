"""Binds every port at once, because there is no agent for it."""

from neutron_lib import constants
from neutron_lib.plugins.ml2 import api


class Ports(api.MechanismDriver):
    def initialize(self):
        pass

    def bind_port(self, context):
        segment = context.segments_to_bind[0]
        context.set_binding(segment[api.ID], "ovs", {}, status=constants.PORT_STATUS_ACTIVE)
