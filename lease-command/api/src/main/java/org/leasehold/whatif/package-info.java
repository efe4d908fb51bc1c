/** A comparison of recorded requests with their outcome in another world. */
@NullMarked
package org.leasehold.whatif;

import org.jspecify.annotations.NullMarked;
