/** Capacity: past, future, free and forecast. */
@NullMarked
package org.leasehold.readmodel.capacity;

import org.jspecify.annotations.NullMarked;
