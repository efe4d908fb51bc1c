@NullMarked
package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.NullMarked;
