/** Servers of a real cloud that projects have already. */
@NullMarked
package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.NullMarked;
