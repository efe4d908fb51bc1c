/** Metrics of commands, capacity, use, denials and connections. */
@NullMarked
package org.leasehold.runtime.metrics;

import org.jspecify.annotations.NullMarked;
