/** Seals of events, and signed heads. Nothing here is ever rebuilt. */
@NullMarked
package org.leasehold.query.seal;

import org.jspecify.annotations.NullMarked;
