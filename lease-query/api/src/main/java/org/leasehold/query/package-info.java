/** Queries for leases and resources, and the views that answer them. */
@NullMarked
package org.leasehold.query;

import org.jspecify.annotations.NullMarked;
