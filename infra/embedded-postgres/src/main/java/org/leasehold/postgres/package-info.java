/** The engine's own PostgreSQL, in a data folder that only its account can read. */
@NullMarked
package org.leasehold.postgres;

import org.jspecify.annotations.NullMarked;
