/** The plug-in for instances on shared hosts: flavors that only a reservation's slots satisfy. */
@NullMarked
package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.NullMarked;
