@NullMarked
package org.leasehold.resource.openstack.floatingip;

import org.jspecify.annotations.NullMarked;
