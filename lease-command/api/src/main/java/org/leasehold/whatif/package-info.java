/** A comparison of recorded requests with their outcome in another scenario. */
@NullMarked
package org.leasehold.whatif;

import org.jspecify.annotations.NullMarked;
