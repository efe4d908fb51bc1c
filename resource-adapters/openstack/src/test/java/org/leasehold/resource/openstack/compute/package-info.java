@NullMarked
package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.NullMarked;
