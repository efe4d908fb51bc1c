package org.leasehold.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Something that is measured once a round. */
interface Benchmark {

    /** Before it counts: machine code is made meanwhile. */
    default void warmUp() throws IOException, SQLException, InterruptedException {}

    /** One value for each figure, in the same order every time. */
    List<Figure> round() throws IOException, SQLException, InterruptedException;
}
