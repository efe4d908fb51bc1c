/** The cloud's users, as Keystone knows them. */
@NullMarked
package org.leasehold.resource.openstack.identity;

import org.jspecify.annotations.NullMarked;
