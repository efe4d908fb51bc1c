/** A client of Placement, which counts what a server takes and what its host has left. */
@NullMarked
package org.leasehold.resource.openstack.placement;

import org.jspecify.annotations.NullMarked;
