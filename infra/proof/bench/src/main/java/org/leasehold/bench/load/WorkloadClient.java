package org.leasehold.bench.load;

import org.leasehold.bench.load.LoadGenerator.Answer;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The hosts of an engine, and the leases that clients request. */
public record WorkloadClient(AdminHttpClient gateway, RandomLeaseWindows someday) {

    /** The filter of the requests; every second host meets it. */
    public static final String REQUIREMENT =
            """
            ["and", ["==", "$gpu", "V100"], [">=", "$vcpus", "8"]]\
            """;

    private static final String ESCAPED_REQUIREMENT = REQUIREMENT.replace("\"", "\\\"");

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final int ENROLLED_BY_FIRST_START = 4;

    public void enrol(int hosts, int clients) throws InterruptedException {
        AtomicInteger next = new AtomicInteger(ENROLLED_BY_FIRST_START);
        LoadGenerator.run(
                        LoadProfile.closed(clients, hosts - ENROLLED_BY_FIRST_START),
                        _ -> {
                            int number = next.incrementAndGet();
                            String gpu = number % 2 == 0 ? "V100" : "none";
                            return gateway.post(
                                    "/v1/os-hosts",
                                    """
                                    {"name": "compute-%s", "gpu": "%s"}\
                                    """
                                            .formatted(number, gpu));
                        })
                .requireSuccess();
    }

    /** Creates a lease of one host with the property. */
    public Answer reserve(SplittableRandom random) throws IOException {
        return reserve("bench", someday.next(random));
    }

    public Answer reserve(String name, RandomLeaseWindows.Window window) throws IOException {
        return gateway.post(
                "/v1/leases",
                """
                {"name": "%s", "start_date": "%s", "end_date": "%s", "events": [],
                 "reservations": [{"resource_type": "physical:host", "min": 1, "max": 1,
                   "hypervisor_properties": "", "resource_properties": "%s"}]}\
                """
                        .formatted(
                                name,
                                MINUTE.format(window.start()),
                                MINUTE.format(window.end()),
                                ESCAPED_REQUIREMENT));
    }

    /** Creates a lease of any one host. */
    public Answer reserve(String name, Instant start, Instant end) throws IOException {
        return gateway.post(
                "/api/leases",
                """
                {"name": "%s", "start": "%s", "end": "%s",
                 "reservations": [{"kind": "physical:host", "parameters": %s}]}\
                """
                        .formatted(name, start, end, parameters(1, "")));
    }

    /** Returns the request for a lease of one host with the property. */
    public static String hostRequest(RandomLeaseWindows.Window window) {
        return request(window, "physical:host", parameters(1, ESCAPED_REQUIREMENT));
    }

    /** Returns the request for a lease of instances of one core each. */
    public static String instancesRequest(RandomLeaseWindows.Window window, int amount) {
        return instancesRequest(window, amount, 1);
    }

    /** Returns the request for a lease of instances of some cores each. */
    public static String instancesRequest(RandomLeaseWindows.Window window, int amount, int cores) {
        return request(
                window,
                "virtual:instance",
                """
                {"amount": %s, "vcpus": %s, "memory_mb": 512, "disk_gb": 1}\
                """
                        .formatted(amount, cores));
    }

    private static String request(
            RandomLeaseWindows.Window window, String kind, String parameters) {
        return """
        {"name": "mix", "start": "%s", "end": "%s",
         "reservations": [{"kind": "%s", "parameters": %s}]}\
        """
                .formatted(window.start(), window.end(), kind, parameters);
    }

    /** Creates a lease of some hosts with the property. */
    public Answer reserveAll(int hosts, SplittableRandom random) throws IOException {
        RandomLeaseWindows.Window window = someday.next(random);
        return gateway.post(
                "/api/leases",
                """
                {"name": "all", "start": "%s", "end": "%s",
                 "reservations": [{"kind": "physical:host", "parameters": %s}]}\
                """
                        .formatted(
                                window.start(),
                                window.end(),
                                parameters(hosts, ESCAPED_REQUIREMENT)));
    }

    /** Requests hosts, with one retry after an interval. */
    public Answer requestRetried(int hosts, Duration interval, SplittableRandom random)
            throws IOException {
        RandomLeaseWindows.Window window = someday.next(random);
        return gateway.post(
                "/api/leases",
                """
                {"name": "retried", "start": "%s", "end": "%s", "if_unavailable": "retry",
                 "retry": {"attempts": 1, "interval_seconds": %s},
                 "reservations": [{"kind": "physical:host", "parameters": %s}]}\
                """
                        .formatted(
                                window.start(),
                                window.end(),
                                interval.toSeconds(),
                                parameters(hosts, "")));
    }

    /** Finds the earliest time at which some hosts with the property are free, in thirty days. */
    public Answer queryAvailability(int hosts, int hours) throws IOException {
        return gateway.post(
                "/api/availability",
                """
                {"kind": "physical:host", "duration": "PT%sH", "limit": 1, "parameters": %s}\
                """
                        .formatted(hours, parameters(hosts, ESCAPED_REQUIREMENT)));
    }

    private static String parameters(int hosts, String requirement) {
        return """
        {"min": %s, "max": %s, "hypervisor_properties": "", "resource_properties": "%s"}\
        """
                .formatted(hosts, hosts, requirement);
    }
}
