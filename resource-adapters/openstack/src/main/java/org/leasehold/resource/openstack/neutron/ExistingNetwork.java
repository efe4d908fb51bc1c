package org.leasehold.resource.openstack.neutron;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.network.Segment;

/**
 * A network in Neutron.
 *
 * @param segment null if it is on none that could be leased
 * @param up whether it is to carry packets
 */
public record ExistingNetwork(
        String id, String name, @Nullable Segment segment, NeutronOwnership origin, boolean up) {}
