/** Whole hosts of a Nova: the freepool, the reservations' aggregates, and what runs on them. */
@NullMarked
package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.NullMarked;
