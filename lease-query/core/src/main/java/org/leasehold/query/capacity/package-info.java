/** Queries of capacity and its use, at any time. */
@NullMarked
package org.leasehold.query.capacity;

import org.jspecify.annotations.NullMarked;
