/** Compares what is kept of the events with what follows from them; changes nothing. */
@NullMarked
package org.leasehold.runtime.verify;

import org.jspecify.annotations.NullMarked;
