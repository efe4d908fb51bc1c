/** Compares the rows derived from the events with the events; changes nothing. */
@NullMarked
package org.leasehold.runtime.verify;

import org.jspecify.annotations.NullMarked;
