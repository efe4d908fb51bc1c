/** How the engine talks to a real cloud: its login, and calls that fail by kind. */
@NullMarked
package org.leasehold.resource.openstack;

import org.jspecify.annotations.NullMarked;
