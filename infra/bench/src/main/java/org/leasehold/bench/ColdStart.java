package org.leasehold.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The time of a start until the product is ready, including its database and data.
 *
 * @param installed the folder of the installation
 */
record ColdStart(Settings settings, Path folder, Path installed) implements Benchmark {

    private static final Path INSTALL = Path.of("infra", "runtime", "install").toAbsolutePath();

    @Override
    public void warmUp() throws IOException, InterruptedException {
        Process install =
                new ProcessBuilder(INSTALL.toString(), installed.toString()).inheritIO().start();
        if (install.waitFor() != 0) {
            throw new IllegalStateException("The product is not installed");
        }
    }

    @Override
    public List<Figure> round() throws IOException, SQLException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        String unpacked = installed.resolve("leasehold.jar").toString();
        // The option of Spring Boot's plug-in for the JVM.
        figures.addAll(start("spring-boot:run", "-XX:TieredStopAtLevel=1", "-jar", unpacked));
        String cache = "-XX:AOTCache=" + installed.resolve("leasehold.aot");
        figures.addAll(start("installed", cache, "-jar", unpacked));
        figures.addAll(start("java -jar", "-jar", settings.jar().toString()));
        return figures;
    }

    private List<Figure> start(String how, String... told)
            throws IOException, SQLException, InterruptedException {
        long began = System.nanoTime();
        try (Engine engine =
                Engine.startAlone(List.of(told), folder, settings.port(), settings.hosts())) {
            double ready = (System.nanoTime() - began) / 1e9;
            double cpu = engine.cpuTime().engine();
            double events = engine.database().number("SELECT count(*) FROM domain_event");
            return List.of(
                    told(how + ": until ready", ready, "s").below(6),
                    told(how + ": CPU of the engine", cpu, "s"),
                    told(how + ": events in the data folder", events, ""));
        }
    }

    private static Figure told(String name, double value, String unit) {
        return Figure.told("coldstart", name, value, unit);
    }
}
