/** The interface of benchmarks, their settings, their metrics, and the report. */
@NullMarked
package org.leasehold.bench.measurement;

import org.jspecify.annotations.NullMarked;
