package org.leasehold.runtime;

import org.leasehold.resource.simulator.cloud.SimulatedCloud.Aggregate;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The project {@code demo}: requests leases, and queries them. */
final class DemoProject {

    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Product product;
    private final Client http;

    DemoProject(Product product) {
        this.product = product;
        this.http = product.as("demo");
    }

    static Lease of(JsonNode lease) {
        return new Lease(
                lease.path("id").asString(),
                ReservationId.of(lease.path("reservations").path(0).path("id").asString()));
    }

    static String minute(Instant instant) {
        return MINUTES.format(instant);
    }

    static Map<String, Object> hosts(int min, int max, String filter) {
        return Map.of(
                "resource_type",
                "physical:host",
                "min",
                min,
                "max",
                max,
                "hypervisor_properties",
                filter,
                "resource_properties",
                "");
    }

    static Map<String, Object> instances(int amount, int vcpus, String filter) {
        Map<String, Object> reservation = new LinkedHashMap<>();
        reservation.put("resource_type", "virtual:instance");
        reservation.put("vcpus", vcpus);
        reservation.put("memory_mb", 1024);
        reservation.put("disk_gb", 1);
        reservation.put("amount", amount);
        reservation.put("affinity", "None");
        reservation.put("resource_properties", filter);
        return reservation;
    }

    static Map<String, Object> ofFlavor(String flavor, int amount) {
        return Map.of(
                "resource_type",
                "flavor:instance",
                "flavor_id",
                flavor,
                "amount",
                amount,
                "affinity",
                "None");
    }

    static String named(String host) {
        return "[\"==\", \"$hypervisor_hostname\", \"" + host + "\"]";
    }

    /** Creates a lease through Blazar's API that starts now, for hours. */
    Lease leaseNow(int hosts, String filter) {
        return of(askNow(hosts(hosts, hosts, filter)).expect(201).path("lease"));
    }

    Answer askNow(Map<String, Object> reservation) {
        return ask("now", "now", product.now().plus(Duration.ofHours(5)), reservation);
    }

    /** Requests a lease through Blazar's API, in whole minutes. */
    Answer askLater(Instant start, Instant end, Map<String, Object> reservation) {
        return ask("later", minute(start), end, reservation);
    }

    private Answer ask(String name, String start, Instant end, Map<String, Object> reservation) {
        return http.post(
                "/v1/leases",
                Map.of(
                        "name",
                        name,
                        "start_date",
                        start,
                        "end_date",
                        minute(end),
                        "reservations",
                        List.of(reservation)));
    }

    /** Creates a lease; Blazar's API has only a resolution of minutes. */
    Lease lease(Instant start, Instant end, String filter) {
        return of(http.post("/api/leases", timed(start, end, filter)).expect(201));
    }

    /**
     * Creates a lease that starts at once, without a start date. If the minute changed between a
     * read of the clock and the response, a start date would be in the past.
     */
    Lease leaseUntil(Instant end, String filter) {
        return of(http.post("/api/leases", until(end, filter)).expect(201));
    }

    static Map<String, Object> timed(Instant start, Instant end, String filter) {
        return hostRequest("timed", start, end, filter);
    }

    static Map<String, Object> until(Instant end, String filter) {
        return request("timed", end, "physical:host", hostParameters(filter));
    }

    /** Returns a request to {@code /api} for a lease of one host. */
    static Map<String, Object> hostRequest(String name, Instant start, Instant end, String filter) {
        return request(name, start, end, "physical:host", hostParameters(filter));
    }

    /** Returns a request to {@code /api} for a lease with one reservation. */
    static Map<String, Object> request(
            String name, Instant start, Instant end, String kind, Map<String, ?> parameters) {
        Map<String, Object> request = new LinkedHashMap<>(request(name, end, kind, parameters));
        request.put("start", start.toString());
        return request;
    }

    private static Map<String, Object> request(
            String name, Instant end, String kind, Map<String, ?> parameters) {
        return Map.of(
                "name",
                name,
                "end",
                end.toString(),
                "reservations",
                List.of(Map.of("kind", kind, "parameters", parameters)));
    }

    /** Returns the parameters of a reservation of one host, as {@code /api} names them. */
    static Map<String, Object> hostParameters(String filter) {
        Map<String, Object> parameters = new LinkedHashMap<>(hosts(1, 1, filter));
        parameters.remove("resource_type");
        return parameters;
    }

    void end(Lease lease) {
        http.post("/api/leases/" + lease.id() + "/end", Map.of()).expect(200);
    }

    Answer show(Lease lease) {
        return http.get("/v1/leases/" + lease.id());
    }

    Answer change(Lease lease, Map<String, Object> change) {
        return http.put("/v1/leases/" + lease.id(), change);
    }

    /** Changes fields of the reservation of a lease through Blazar's API. */
    Answer changeReservation(Lease lease, Map<String, ?> fields) {
        Map<String, Object> reservation = new LinkedHashMap<>(fields);
        reservation.put("id", lease.reservation().toString());
        return change(lease, Map.of("reservations", List.of(reservation)));
    }

    /** Deletes a lease, which must succeed at any time and takes no time. */
    void delete(Lease lease) {
        http.delete("/v1/leases/" + lease.id()).expect(204);
    }

    String status(Lease lease) {
        Answer answer = show(lease);
        return answer.status() == 404
                ? "gone"
                : answer.expect(200).path("lease").path("status").asString();
    }

    void awaitStatus(Lease lease, String status) {
        Await.until(
                () -> "%s is %s, not %s: %s".formatted(lease, status(lease), status, types(lease)),
                () -> status(lease).equals(status));
    }

    List<JsonNode> history(Lease lease) {
        return http.get("/api/leases/" + lease.id() + "/history")
                .expect(200)
                .path("events")
                .valueStream()
                .toList();
    }

    List<String> types(Lease lease) {
        return history(lease).stream().map(event -> event.path("type").asString()).toList();
    }

    Optional<JsonNode> event(Lease lease, String type) {
        return history(lease).stream()
                .filter(event -> event.path("type").asString().equals(type))
                .findFirst();
    }

    /** Returns the charges of a lease in a window: each line's words and its amount. */
    List<String> charges(Lease lease, Instant from, Instant to) {
        return http.get("/api/charges?limit=1000&from=%s&to=%s".formatted(from, to))
                .expect(200)
                .path("leases")
                .valueStream()
                .filter(each -> each.path("lease").asString().equals(lease.id()))
                .flatMap(each -> each.path("lines").valueStream())
                .map(
                        line ->
                                Stream.of("what", "time", "amount")
                                        .filter(line::has)
                                        .map(field -> line.path(field).asString())
                                        .collect(Collectors.joining(" ")))
                .toList();
    }

    /** Returns the price of a time at one per second, rounded like a line of charges. */
    static BigDecimal euros(Instant from, Instant until) {
        return BigDecimal.valueOf(ChronoUnit.MICROS.between(from, until), 6)
                .setScale(2, RoundingMode.HALF_EVEN);
    }

    /** Returns the hosts that the cloud has given to the lease. */
    List<String> hostsOf(Lease lease) {
        return product.cloud()
                .aggregate(lease.reservation())
                .map(Aggregate::hosts)
                .map(ArrayList::new)
                .<List<String>>map(hosts -> hosts)
                .orElseGet(List::of);
    }

    /** Returns true if nothing is left of it, and its hosts are in the free pool. */
    boolean isCleanedUp(Lease lease, String... hosts) {
        return product.cloud().aggregate(lease.reservation()).isEmpty()
                && product.cloud().freepool().containsAll(List.of(hosts));
    }

    /** A lease with one reservation. */
    record Lease(String id, ReservationId reservation) {}
}
