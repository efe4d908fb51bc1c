@NullMarked
package org.leasehold.resource.openstack.placement;

import org.jspecify.annotations.NullMarked;
