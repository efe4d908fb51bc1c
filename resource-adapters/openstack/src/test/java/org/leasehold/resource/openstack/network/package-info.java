@NullMarked
package org.leasehold.resource.openstack.network;

import org.jspecify.annotations.NullMarked;
