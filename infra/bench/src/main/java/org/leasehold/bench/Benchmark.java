package org.leasehold.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

interface Benchmark {

    List<Figure> run() throws IOException, SQLException, InterruptedException;
}
