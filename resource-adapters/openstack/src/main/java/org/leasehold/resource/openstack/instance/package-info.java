/** Instances on hosts that others share: flavors that nothing but a reservation's slots satisfy. */
@NullMarked
package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.NullMarked;
