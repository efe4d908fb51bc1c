/**
 * Read models that follow the events at a distance: each in a transaction of its own that moves the
 * rows and the position that they stand on.
 */
@NullMarked
package org.leasehold.query.projection;

import org.jspecify.annotations.NullMarked;
