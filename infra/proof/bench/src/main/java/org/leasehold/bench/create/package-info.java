/**
 * Benchmarks of creates: alone, through the command bus, among refusals and other requests, and for
 * a long time.
 */
@NullMarked
package org.leasehold.bench.create;

import org.jspecify.annotations.NullMarked;
