package org.leasehold.bench.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The CPU time of the engine, its database, this program and all others, from the operating system,
 * in seconds.
 *
 * @param idle the unused time
 */
public record CpuTime(double engine, double database, double clients, double others, double idle) {

    private static final double TICKS_PER_SECOND = 100;
    private static final Path PROC = Path.of("/proc");

    static CpuTime of(ProcessHandle engine, ProcessHandle postmaster) throws IOException {
        double engineTime = ownTime(engine);
        // The postmaster's time includes that of its ended children.
        double databaseTime = timeWithEndedChildren(postmaster);
        for (ProcessHandle backend : postmaster.descendants().toList()) {
            databaseTime += ownTime(backend);
        }
        double clientsTime = ownTime(ProcessHandle.current());
        double[] machine = machine();
        return new CpuTime(
                engineTime,
                databaseTime,
                clientsTime,
                machine[0] - engineTime - databaseTime - clientsTime,
                machine[1]);
    }

    public double total() {
        return engine + database + clients + others + idle;
    }

    public CpuTime since(CpuTime before) {
        return new CpuTime(
                engine - before.engine,
                database - before.database,
                clients - before.clients,
                others - before.others,
                idle - before.idle);
    }

    /** Returns the busy and the idle time. */
    private static double[] machine() throws IOException {
        // cpu user nice system idle iowait irq softirq steal
        double[] times =
                Arrays.stream(
                                Files.readAllLines(PROC.resolve("stat"))
                                        .getFirst()
                                        .substring("cpu".length())
                                        .strip()
                                        .split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
        double idle = times[3] + times[4];
        double busy = times[0] + times[1] + times[2] + times[5] + times[6];
        return new double[] {busy / TICKS_PER_SECOND, idle / TICKS_PER_SECOND};
    }

    private static double ownTime(ProcessHandle process) throws IOException {
        return of(PROC.resolve(Long.toString(process.pid())).resolve("stat"), 2);
    }

    private static double timeWithEndedChildren(ProcessHandle process) throws IOException {
        return of(PROC.resolve(Long.toString(process.pid())).resolve("stat"), 4);
    }

    /** Sums up user and system time, followed by the same of ended children. */
    static double of(Path stat, int columns) throws IOException {
        try {
            String line = Files.readString(stat);
            // The preceding name may contain any character, even brackets and spaces.
            List<String> fields =
                    List.of(line.substring(line.lastIndexOf(')') + 2).strip().split(" "));
            return fields.subList(11, 11 + columns).stream().mapToDouble(Double::parseDouble).sum()
                    / TICKS_PER_SECOND;
        } catch (NoSuchFileException _) {
            return 0;
        }
    }
}
