/** The whole engine in one thread, on a clock that only moves when it is told to. */
@NullMarked
package org.leasehold.simulation;

import org.jspecify.annotations.NullMarked;
