/** The cloud's users and projects, from Keystone. */
@NullMarked
package org.leasehold.resource.openstack.identity;

import org.jspecify.annotations.NullMarked;
