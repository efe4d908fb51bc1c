@NullMarked
package org.leasehold.resource.openstack.neutron;

import org.jspecify.annotations.NullMarked;
