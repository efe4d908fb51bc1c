/** Microversions of the cloud's services, and the releases that have them. */
@NullMarked
package org.leasehold.resource.openstack.version;

import org.jspecify.annotations.NullMarked;
