/** The plug-in for whole hosts of Nova: the freepool, aggregates of reservations, and servers. */
@NullMarked
package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.NullMarked;
