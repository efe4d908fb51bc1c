/** Benchmarks of queries: lists, availability, past states, and the audit trail. */
@NullMarked
package org.leasehold.bench.query;

import org.jspecify.annotations.NullMarked;
