/** Rebuilds of read models from the events, all by one reader, while the old ones are served. */
@NullMarked
package org.leasehold.query.rebuild;

import org.jspecify.annotations.NullMarked;
