@NullMarked
package org.leasehold.resource.openstack.identity;

import org.jspecify.annotations.NullMarked;
