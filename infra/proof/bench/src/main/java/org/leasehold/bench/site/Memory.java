package org.leasehold.bench.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory and the threads of an engine.
 *
 * @param heapMib the heap after a full collection
 * @param residentMib the resident memory from the operating system
 */
public record Memory(double heapMib, double residentMib, int threads) {

    private static final Pattern USED = Pattern.compile("used ([0-9]+)K");
    private static final double KIB_PER_MIB = 1024;

    public static Memory of(BenchmarkSite site) throws IOException, InterruptedException {
        site.engine().jcmd("GC.run");
        Matcher used = USED.matcher(site.engine().jcmd("GC.heap_info"));
        if (!used.find()) {
            throw new IllegalStateException("GC.heap_info does not report the used memory");
        }
        return new Memory(
                Long.parseLong(used.group(1)) / KIB_PER_MIB,
                status(site, "VmRSS:") / KIB_PER_MIB,
                (int) status(site, "Threads:"));
    }

    private static long status(BenchmarkSite site, String name) throws IOException {
        Path status = Path.of("/proc", Long.toString(site.engine().pid()), "status");
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
