@NullMarked
package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.NullMarked;
