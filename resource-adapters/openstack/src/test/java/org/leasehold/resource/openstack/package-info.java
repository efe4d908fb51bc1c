@NullMarked
package org.leasehold.resource.openstack;

import org.jspecify.annotations.NullMarked;
