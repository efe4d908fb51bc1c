package org.leasehold.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The hosts and the leases that are there before anything is measured. */
final class Fleet {

    /** Every second host has what the leases ask for. */
    static final String FILTER =
            "[\\\"and\\\", [\\\"==\\\", \\\"$gpu\\\", \\\"V100\\\"],"
                    + " [\\\">=\\\", \\\"$vcpus\\\", \\\"8\\\"]]";

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

    /** Today is left free, for the leases that start at once. */
    private static final Duration FIRST = Duration.ofDays(1);

    private static final Duration HORIZON = Duration.ofDays(90);
    private static final int HALF_HOURS = 8;
    private static final int ENROLLED_BY_FIRST_START = 4;

    private final Gateway gateway;
    private final Instant now;

    Fleet(Gateway gateway, Instant now) {
        this.gateway = gateway;
        this.now = now;
    }

    void enrol(int hosts, int clients) throws InterruptedException {
        AtomicInteger next = new AtomicInteger(ENROLLED_BY_FIRST_START);
        ClosedLoop.run(
                        clients,
                        201,
                        ClosedLoop.times(hosts - ENROLLED_BY_FIRST_START),
                        _ -> {
                            int number = next.incrementAndGet();
                            String gpu = number % 2 == 0 ? "V100" : "none";
                            return gateway.post(
                                    "/v1/os-hosts",
                                    """
                                    {"name": "compute-%d", "gpu": "%s"}\
                                    """
                                            .formatted(number, gpu));
                        })
                .clean();
    }

    ClosedLoop.Outcome reserve(int clients, ClosedLoop.Condition condition)
            throws InterruptedException {
        return ClosedLoop.run(
                clients, 201, condition, random -> gateway.post("/v1/leases", someday(random)));
    }

    /** One host with the property, for one half to four hours, some time in the next months. */
    private String someday(SplittableRandom random) {
        Instant start = now.plus(FIRST).plusSeconds(60L * random.nextLong(HORIZON.toMinutes()));
        Instant end = start.plus(Duration.ofMinutes(30L * (1 + random.nextInt(HALF_HOURS))));
        return """
        {"name": "bench", "start_date": "%s", "end_date": "%s", "events": [],
         "reservations": [{"resource_type": "physical:host", "min": 1, "max": 1,
           "hypervisor_properties": "", "resource_properties": "%s"}]}\
        """
                .formatted(MINUTE.format(start), MINUTE.format(end), FILTER);
    }

    /** A reservation's parameters. */
    static String parameters(int hosts, String filter) {
        return """
        {"min": %d, "max": %d, "hypervisor_properties": "", "resource_properties": "%s"}\
        """
                .formatted(hosts, hosts, filter);
    }
}
