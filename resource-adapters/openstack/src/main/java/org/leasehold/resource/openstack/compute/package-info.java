/** A client of Nova, for all kinds that are leased on its hosts. */
@NullMarked
package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.NullMarked;
