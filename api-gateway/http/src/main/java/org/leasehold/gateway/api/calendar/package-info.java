/** Calendar of allocations: queries, feeds, and files. */
@NullMarked
package org.leasehold.gateway.api.calendar;

import org.jspecify.annotations.NullMarked;
