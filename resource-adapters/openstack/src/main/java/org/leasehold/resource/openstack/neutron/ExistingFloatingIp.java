package org.leasehold.resource.openstack.neutron;

import org.leasehold.resource.floatingip.FloatingIp;

/** A floating IP in Neutron. */
public record ExistingFloatingIp(String id, FloatingIp ip, NeutronOwnership origin) {}
