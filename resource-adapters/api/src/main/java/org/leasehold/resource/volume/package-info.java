/** Planning of reservations of volumes, for any cloud. */
@NullMarked
package org.leasehold.resource.volume;

import org.jspecify.annotations.NullMarked;
