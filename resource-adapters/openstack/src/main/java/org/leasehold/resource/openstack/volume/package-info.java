/** The plug-in for volumes of a real cloud. */
@NullMarked
package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.NullMarked;
