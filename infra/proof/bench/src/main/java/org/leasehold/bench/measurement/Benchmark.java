package org.leasehold.bench.measurement;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** A measurement that runs once a round. */
public interface Benchmark {

    /** Warms up the JVM's compiler before the first measured round. */
    default void warmUp() throws IOException, SQLException, InterruptedException {}

    /** Returns one value for each figure, always in the same order. */
    List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException;
}
