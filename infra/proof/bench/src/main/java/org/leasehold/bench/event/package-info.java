/** Benchmarks of events: replays of a long history, and publications to Kafka. */
@NullMarked
package org.leasehold.bench.event;

import org.jspecify.annotations.NullMarked;
