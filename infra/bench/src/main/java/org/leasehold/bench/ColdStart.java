package org.leasehold.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** How long the product takes from its start until it is ready, its database and data included. */
record ColdStart(Settings settings, Path folder) implements Benchmark {

    @Override
    public List<Figure> round() throws IOException, SQLException, InterruptedException {
        long began = System.nanoTime();
        try (Engine engine = start()) {
            double ready = (System.nanoTime() - began) / 1e9;
            double events = engine.database().number("SELECT count(*) FROM domain_event");
            return List.of(
                    Figure.told("coldstart", "until ready", ready, "s").below(6),
                    Figure.told("coldstart", "events in the data folder", events, ""));
        }
    }

    private Engine start() throws IOException, InterruptedException {
        return Engine.startAlone(settings, folder, settings.port(), settings.hosts());
    }
}
