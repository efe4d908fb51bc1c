/** Benchmarks of starts: of leases, one or many at once, and of the engine. */
@NullMarked
package org.leasehold.bench.start;

import org.jspecify.annotations.NullMarked;
