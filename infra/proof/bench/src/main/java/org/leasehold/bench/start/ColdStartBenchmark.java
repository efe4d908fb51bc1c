package org.leasehold.bench.start;

import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.measurement.Settings;
import org.leasehold.bench.site.Engine;

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
public record ColdStartBenchmark(Settings settings, Path folder, Path installed)
        implements Benchmark {

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
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        List<BenchmarkMetric> figures = new ArrayList<>();
        String unpacked = installed.resolve("leasehold.jar").toString();
        // The option of Spring Boot's plug-in for the JVM.
        figures.addAll(
                measureStart("spring-boot:run", "-XX:TieredStopAtLevel=1", "-jar", unpacked));
        String cache = "-XX:AOTCache=" + installed.resolve("leasehold.aot");
        figures.addAll(measureStart("installed", cache, "-jar", unpacked));
        figures.addAll(measureStart("java -jar", "-jar", settings.jar().toString()));
        return figures;
    }

    private List<BenchmarkMetric> measureStart(String how, String... options)
            throws IOException, SQLException, InterruptedException {
        long began = System.nanoTime();
        try (Engine engine =
                Engine.startAlone(List.of(options), folder, settings.port(), settings.hosts())) {
            double ready = (System.nanoTime() - began) / 1e9;
            double cpu = engine.cpuTime().engine();
            double events = engine.database().queryNumber("SELECT count(*) FROM domain_event");
            return List.of(
                    metric(how + ": until ready", ready, "s").below(6),
                    metric(how + ": CPU of the engine", cpu, "s"),
                    metric(how + ": events in the data folder", events, ""));
        }
    }

    private static BenchmarkMetric metric(String name, double value, String unit) {
        return BenchmarkMetric.of("coldstart", name, value, unit);
    }
}
