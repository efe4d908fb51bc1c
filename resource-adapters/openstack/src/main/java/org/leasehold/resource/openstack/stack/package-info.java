/** Leases of stacks on Heat. */
@NullMarked
package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.NullMarked;
