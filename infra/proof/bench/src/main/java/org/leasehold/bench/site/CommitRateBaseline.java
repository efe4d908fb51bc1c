package org.leasehold.bench.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate at which the engine's own server can begin, insert one row and commit: the limit for any
 * program that commits each lease separately.
 */
public final class CommitRateBaseline {

    private static final String INSERT = "INSERT INTO bench_baseline (payload) VALUES ('a lease')";
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    private static final String NO_TRANSACTIONS = "transactions actually processed: 0";
    private static final int MAX_SECONDS = 60;

    private final Database database;
    private final Path folder;

    CommitRateBaseline(Database database, Path folder) {
        this.database = database;
        this.folder = folder;
    }

    /** Returns transactions per second. */
    public double measure(int clients, int seconds)
            throws IOException, SQLException, InterruptedException {
        database.execute("DROP TABLE IF EXISTS bench_baseline");
        database.execute(
                """
                CREATE TABLE bench_baseline (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text)\
                """);
        double rate = hasPgbench() ? pgbench(clients, seconds) : loop(clients, seconds);
        database.execute("DROP TABLE bench_baseline");
        return rate;
    }

    private static boolean hasPgbench() throws InterruptedException {
        try {
            return new ProcessBuilder("pgbench", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notThere) {
            return false;
        }
    }

    private double pgbench(int clients, int seconds) throws IOException, InterruptedException {
        Path script = folder.resolve("baseline.sql");
        Files.writeString(script, "BEGIN;\n" + INSERT + ";\nCOMMIT;\n");
        Path report = folder.resolve("pgbench.txt");
        ProcessBuilder pgbench =
                new ProcessBuilder(
                                "pgbench",
                                "--no-vacuum",
                                "--protocol=prepared",
                                "--jobs=2",
                                "--client=" + clients,
                                "--time=" + seconds,
                                "--file=" + script,
                                "--host=127.0.0.1",
                                "--port=" + database.service().port(),
                                "--username=" + database.service().user(),
                                "postgres")
                        .redirectErrorStream(true)
                        .redirectOutput(report.toFile());
        pgbench.environment().put("PGPASSWORD", database.service().password());
        int status = pgbench.start().waitFor();
        if (Files.readString(report).contains(NO_TRANSACTIONS) && seconds < MAX_SECONDS) {
            // Its time includes the logins; a busy machine takes seconds for their password hashes.
            return pgbench(clients, seconds * 4);
        }
        Matcher rate = RATE.matcher(Files.readString(report));
        if (status != 0 || !rate.find()) {
            throw new IllegalStateException(Files.readString(report));
        }
        return Double.parseDouble(rate.group(1));
    }

    private double loop(int clients, int seconds) throws SQLException, InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        List<Future<Integer>> running = new ArrayList<>();
        long count = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (int i = 0; i < clients; i++) {
                running.add(threads.submit(() -> insertUntil(end)));
            }
            for (Future<Integer> client : running) {
                count += client.get();
            }
        } catch (ExecutionException e) {
            throw new SQLException(e.getCause());
        }
        return (double) count / seconds;
    }

    private int insertUntil(long end) throws SQLException {
        int count = 0;
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                while (System.nanoTime() < end) {
                    insert.executeUpdate();
                    connection.commit();
                    count++;
                }
            }
        }
        return count;
    }
}
