/** A client of Neutron: floating IPs, networks, and their attachments. */
@NullMarked
package org.leasehold.resource.openstack.neutron;

import org.jspecify.annotations.NullMarked;
