package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.resource.Planning;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.runtime.History.Event;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who was promised what and who has what, made from the events alone and in another way than the
 * engine makes it: no SQL, no ranges, no locks.
 */
final class Book {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    final Map<Long, Resource> resources = new TreeMap<>();
    final Map<String, Lease> leases = new HashMap<>();
    final Map<String, Reservation> reservations = new LinkedHashMap<>();

    /** The promises on each resource, by reservation. */
    final Map<Long, Map<String, Window>> claims = new HashMap<>();

    /** Which reservation has a resource in its hands. */
    final Map<Long, String> holders = new HashMap<>();

    /** Who had which resource from when to when, by the database's clock. */
    final List<Possession> possessions = new ArrayList<>();

    final List<String> complaints = new ArrayList<>();

    /** Resources on which something was promised since they were last checked. */
    private final Set<Long> touched = new LinkedHashSet<>();

    void apply(Event event) {
        JsonNode payload = event.payload();
        switch (event.type()) {
            case "ResourceEnrolled" -> resources.put(number(payload), Resource.of(payload));
            case "ResourceChanged" -> resource(payload).change(payload);
            case "ResourceDisabled" -> resource(payload).enabled = false;
            case "ResourceEnabled" -> resource(payload).enabled = true;
            case "ResourceRetired" -> resource(payload).enabled = false;
            case "LeaseRequested" -> request(payload);
            case "LeaseRescheduled" -> lease(payload).period = Window.of(payload.path("period"));
            case "ReservationChanged" ->
                    reservation(payload).parameters = payload.path("parameters");
            case "ReservationGranted" -> grant(event);
            case "ResourceReplaced" -> replace(event);
            case "LeaseStarting" -> start(event);
            case "ReservationAdjusting" ->
                    takeUp(event, reservation(payload, "tenure"), longs(payload.path("joining")));
            case "ReservationAdjusted" ->
                    letGo(event, reservation(payload), longs(payload.path("left")));
            case "LeaseEnding" -> shorten(lease(payload), event.decidedAt());
            case "ReservationReleased" -> release(event);
            default -> {
                // Says nothing about who has what.
            }
        }
    }

    private void request(JsonNode payload) {
        Lease lease = new Lease(Window.of(payload.path("period")));
        leases.put(payload.path("leaseId").asString(), lease);
        for (JsonNode wish : payload.path("reservations")) {
            String id = wish.path("id").asString();
            lease.reservations.add(id);
            reservations.put(
                    id, new Reservation(id, wish.path("kind").asString(), wish.path("parameters")));
        }
    }

    private void grant(Event event) {
        JsonNode payload = event.payload();
        Reservation reservation = reservation(payload);
        Demand demand = demand(reservation.kind, reservation.parameters);
        reservation.cleaning = Duration.parse(payload.path("cleaning").asString());
        Window window = Window.of(payload.path("period")).andThen(reservation.cleaning);
        Set<Long> before = Set.copyOf(reservation.resources);
        claims.values().forEach(claimed -> claimed.remove(reservation.id));
        reservation.resources.clear();
        for (JsonNode allocation : payload.path("allocations")) {
            long resource = allocation.path("resource").asLong();
            check(event, reservation, demand, resource, before.contains(resource));
            reservation.resources.add(resource);
            claim(reservation, resource, window);
        }
        int count = reservation.resources.size();
        // A change of the window alone leaves a reservation all that it has.
        if (count < demand.minimum() || count > Math.max(demand.maximum(), before.size())) {
            complain(event, "%s got %d resources: %s".formatted(reservation.id, count, demand));
        }
    }

    private void check(
            Event event, Reservation reservation, Demand demand, long id, boolean hadIt) {
        Resource resource = resources.get(id);
        if (resource == null) {
            complain(event, "%s got %d, which was never enrolled".formatted(reservation.id, id));
        } else if (!resource.enabled && !hadIt) {
            complain(event, "%s got %d, which is out of service".formatted(reservation.id, id));
        } else if (!demand.requirement().isMetBy(resource.properties)) {
            complain(
                    event,
                    "%s got %d, which is not what it asked for".formatted(reservation.id, id));
        }
    }

    private void replace(Event event) {
        JsonNode payload = event.payload();
        Reservation reservation = reservation(payload);
        long replaced = payload.path("replaced").asLong();
        long by = payload.path("replacement").path("resource").asLong();
        claims.getOrDefault(replaced, new HashMap<>()).remove(reservation.id);
        reservation.resources.remove(replaced);
        check(event, reservation, demand(reservation.kind, reservation.parameters), by, false);
        reservation.resources.add(by);
        claim(
                reservation,
                by,
                lease(payload).period.from(event.decidedAt()).andThen(reservation.cleaning));
    }

    private void claim(Reservation reservation, long resource, Window window) {
        claims.computeIfAbsent(resource, id -> new LinkedHashMap<>()).put(reservation.id, window);
        touched.add(resource);
    }

    private void start(Event event) {
        for (JsonNode tenure : event.payload().path("tenures")) {
            Reservation reservation =
                    Objects.requireNonNull(reservations.get(tenure.path("reservation").asString()));
            takeUp(event, reservation, List.copyOf(reservation.resources));
        }
    }

    private void takeUp(Event event, Reservation reservation, List<Long> taken) {
        for (long resource : taken) {
            String holder = holders.putIfAbsent(resource, reservation.id);
            if (holder == null) {
                possessions.add(
                        new Possession(resource, reservation.id, event.recordedAt(), Instant.MAX));
            } else if (!holder.equals(reservation.id)) {
                complain(
                        event,
                        "%s took up %d while %s had it"
                                .formatted(reservation.id, resource, holder));
            }
        }
    }

    private void letGo(Event event, Reservation reservation, List<Long> left) {
        for (long resource : left) {
            if (holders.remove(resource, reservation.id)) {
                possessions.replaceAll(
                        p ->
                                p.resource == resource
                                                && p.reservation.equals(reservation.id)
                                                && p.until.equals(Instant.MAX)
                                        ? new Possession(
                                                resource,
                                                reservation.id,
                                                p.from,
                                                event.recordedAt())
                                        : p);
            }
        }
    }

    private void release(Event event) {
        Reservation reservation = reservation(event.payload());
        Lease lease = lease(event.payload());
        if (!lease.ending) {
            // An operator gave the lease up: the calendar is told in the same breath.
            shorten(lease, event.decidedAt());
        }
        letGo(event, reservation, List.copyOf(heldBy(reservation.id)));
        reservation.resources.clear();
    }

    private void shorten(Lease lease, Instant at) {
        lease.ending = true;
        for (String id : lease.reservations) {
            Reservation reservation = Objects.requireNonNull(reservations.get(id));
            claims.forEach(
                    (resource, claimed) -> {
                        Duration cleaning =
                                id.equals(holders.get(resource))
                                        ? reservation.cleaning
                                        : Duration.ZERO;
                        claimed.computeIfPresent(
                                id, (same, window) -> window.until(at.plus(cleaning)));
                    });
        }
    }

    /** To be asked between transactions: inside one, two reservations may swap resources. */
    void checkPromises(Event last) {
        for (long resource : touched) {
            List<Map.Entry<String, Window>> all =
                    List.copyOf(claims.getOrDefault(resource, Map.of()).entrySet());
            for (int one = 0; one < all.size(); one++) {
                for (int other = one + 1; other < all.size(); other++) {
                    if (all.get(one).getValue().overlaps(all.get(other).getValue())) {
                        complain(
                                last,
                                "%d is promised twice: %s, %s"
                                        .formatted(resource, all.get(one), all.get(other)));
                    }
                }
            }
        }
        touched.clear();
    }

    Set<Long> heldBy(String reservation) {
        Set<Long> held = new LinkedHashSet<>();
        holders.forEach(
                (resource, holder) -> {
                    if (holder.equals(reservation)) {
                        held.add(resource);
                    }
                });
        return held;
    }

    void complain(Event event, String message) {
        complaints.add("at " + event.position() + ": " + message);
    }

    static Demand demand(String kind, JsonNode parameters) {
        if (!kind.equals("physical:host")) {
            throw new IllegalStateException("only hosts can be checked, not " + kind);
        }
        Map<String, @Nullable Object> values =
                JSON.convertValue(parameters, new TypeReference<>() {});
        return switch (new HostPlanning().plan(values)) {
            case Planning.Plan.Planned planned -> planned.demand();
            case Planning.Plan.Invalid invalid ->
                    throw new IllegalStateException("a stored wish makes no sense: " + invalid);
        };
    }

    private Resource resource(JsonNode payload) {
        return Objects.requireNonNull(resources.get(number(payload)));
    }

    private static long number(JsonNode payload) {
        return payload.path("resourceId").asLong();
    }

    Lease lease(JsonNode payload) {
        return Objects.requireNonNull(
                leases.get(payload.path("leaseId").asString()), () -> "unknown lease " + payload);
    }

    private Reservation reservation(JsonNode payload) {
        return Objects.requireNonNull(reservations.get(payload.path("reservationId").asString()));
    }

    private Reservation reservation(JsonNode payload, String tenure) {
        return Objects.requireNonNull(
                reservations.get(payload.path(tenure).path("reservation").asString()));
    }

    private static List<Long> longs(JsonNode array) {
        return array.valueStream().map(JsonNode::asLong).toList();
    }

    /** A resource as it is at this point of the history. */
    static final class Resource {

        final String kind;
        final String name;
        final Map<String, String> properties = new TreeMap<>();
        boolean enabled = true;

        private Resource(String kind, String name) {
            this.kind = kind;
            this.name = name;
        }

        private static Resource of(JsonNode payload) {
            Resource resource =
                    new Resource(payload.path("kind").asString(), payload.path("name").asString());
            resource.properties.put("name", resource.name);
            resource.put(payload.path("attributes"));
            resource.put(payload.path("capabilities"));
            return resource;
        }

        private void change(JsonNode payload) {
            payload.path("removed").forEach(name -> properties.remove(name.asString()));
            put(payload.path("set"));
        }

        private void put(JsonNode values) {
            values.properties()
                    .forEach(
                            property -> {
                                JsonNode value = property.getValue();
                                if (!value.isNull()) {
                                    properties.put(
                                            property.getKey(),
                                            value.isString()
                                                    ? value.stringValue()
                                                    : value.toString());
                                }
                            });
        }
    }

    /** A lease as it is at this point of the history. */
    static final class Lease {

        final List<String> reservations = new ArrayList<>();
        Window period;
        boolean ending;

        private Lease(Window period) {
            this.period = period;
        }
    }

    /** A reservation as it is at this point of the history. */
    static final class Reservation {

        final String id;
        final String kind;
        final Set<Long> resources = new LinkedHashSet<>();
        JsonNode parameters;
        Duration cleaning = Duration.ZERO;

        private Reservation(String id, String kind, JsonNode parameters) {
            this.id = id;
            this.kind = kind;
            this.parameters = parameters;
        }
    }

    /** Half-open; empty ones overlap nothing. */
    record Window(Instant start, Instant end) {

        /** Microseconds are what the database knows. */
        Window {
            start = start.truncatedTo(ChronoUnit.MICROS);
            end = end.truncatedTo(ChronoUnit.MICROS);
        }

        static Window of(JsonNode period) {
            return new Window(
                    Instant.parse(period.path("start").asString()),
                    Instant.parse(period.path("end").asString()));
        }

        Window andThen(Duration cleaning) {
            return new Window(start, end.plus(cleaning));
        }

        Window from(Instant instant) {
            return instant.isAfter(start) ? new Window(instant, end) : this;
        }

        Window until(Instant instant) {
            return instant.isBefore(end) ? new Window(start, instant) : this;
        }

        boolean overlaps(Window other) {
            return start.isBefore(end)
                    && other.start.isBefore(other.end)
                    && start.isBefore(other.end)
                    && other.start.isBefore(end);
        }

        boolean contains(Window other) {
            return !other.start.isBefore(start) && !other.end.isAfter(end);
        }
    }

    /** A reservation had a resource in its hands. */
    record Possession(long resource, String reservation, Instant from, Instant until) {}
}
