@NullMarked
package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.NullMarked;
