/** Neutron: floating IPs, networks, and what is attached to them. */
@NullMarked
package org.leasehold.resource.openstack.neutron;

import org.jspecify.annotations.NullMarked;
