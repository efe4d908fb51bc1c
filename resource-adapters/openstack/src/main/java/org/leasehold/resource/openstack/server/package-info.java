/** The plug-in for servers that projects of a real cloud have already. */
@NullMarked
package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.NullMarked;
