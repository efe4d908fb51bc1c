/** The capacity and its use, at any time, from the events. */
@NullMarked
package org.leasehold.query.capacity;

import org.jspecify.annotations.NullMarked;
