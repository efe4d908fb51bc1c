@NullMarked
package org.leasehold.resource.openstack.version;

import org.jspecify.annotations.NullMarked;
