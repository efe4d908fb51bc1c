package org.leasehold.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Compares the rate of creates with few leases and with many. */
record Flat(Creates few, Creates many) implements Benchmark {

    private static final double NEARLY_AS_FAST = 0.8;

    static Flat of(Site small, Site large, int clients, PrintStream out) {
        return new Flat(
                Creates.overHttp(small, clients, out).named("flat, few"),
                Creates.overHttp(large, clients, out).named("flat, many"));
    }

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        few.warmUp();
        many.warmUp();
    }

    /** Measures one after the other, so that other load on the machine slows both equally. */
    @Override
    public List<Figure> round() throws IOException, SQLException, InterruptedException {
        List<Figure> fast = few.round();
        List<Figure> slow = many.round();
        List<Figure> figures = new ArrayList<>(fast);
        figures.addAll(slow);
        figures.add(
                Figure.told(
                                "flat",
                                few.clients() + " clients: many per few",
                                slow.getFirst().median() / fast.getFirst().median(),
                                "")
                        .atLeast(NEARLY_AS_FAST));
        return figures;
    }
}
