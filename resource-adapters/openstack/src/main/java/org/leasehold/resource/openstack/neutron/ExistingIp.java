package org.leasehold.resource.openstack.neutron;

import org.leasehold.resource.floatingip.FloatingIp;

/** A floating IP that Neutron has. */
public record ExistingIp(String id, FloatingIp ip, Origin origin) {}
