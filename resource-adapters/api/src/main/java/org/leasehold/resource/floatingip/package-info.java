/** Planning of reservations of floating IPs, for any cloud. */
@NullMarked
package org.leasehold.resource.floatingip;

import org.jspecify.annotations.NullMarked;
