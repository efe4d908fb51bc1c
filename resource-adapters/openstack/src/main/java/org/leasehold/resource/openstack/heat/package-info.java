/** A client of Heat: stacks. */
@NullMarked
package org.leasehold.resource.openstack.heat;

import org.jspecify.annotations.NullMarked;
