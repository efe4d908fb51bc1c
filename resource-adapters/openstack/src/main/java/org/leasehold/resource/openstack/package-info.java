/** The connection to a real cloud: the engine's login, and calls that fail by kind. */
@NullMarked
package org.leasehold.resource.openstack;

import org.jspecify.annotations.NullMarked;
