/** How much of the resources is taken, at any time, as the events have it. */
@NullMarked
package org.leasehold.query.capacity;

import org.jspecify.annotations.NullMarked;
