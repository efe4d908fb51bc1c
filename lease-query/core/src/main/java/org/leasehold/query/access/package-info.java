/** Reads beyond a caller's project, as the gateway has recorded them. */
@NullMarked
package org.leasehold.query.access;

import org.jspecify.annotations.NullMarked;
