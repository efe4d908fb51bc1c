/** The projection of events to the tables of capacity, with the rows that verify them. */
@NullMarked
package org.leasehold.query.capacity.projection;

import org.jspecify.annotations.NullMarked;
