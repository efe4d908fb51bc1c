/** Nova, as everything sees it that is leased on its hosts. */
@NullMarked
package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.NullMarked;
