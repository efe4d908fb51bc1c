/** The plug-in for floating IPs of a real cloud. */
@NullMarked
package org.leasehold.resource.openstack.floatingip;

import org.jspecify.annotations.NullMarked;
