/** The plug-in for networks of a real cloud. */
@NullMarked
package org.leasehold.resource.openstack.network;

import org.jspecify.annotations.NullMarked;
