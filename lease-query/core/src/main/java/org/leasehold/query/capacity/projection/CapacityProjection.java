package org.leasehold.query.capacity.projection;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.account.ResourceKinds;
import org.leasehold.query.booking.Booking;
import org.leasehold.query.booking.BookingVersion;
import org.leasehold.query.projection.EventStreamLoader;
import org.leasehold.query.projection.Projection;
import org.leasehold.readmodel.capacity.Capacities;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The projection of the tables of capacity. At any position the changes are the sums of members,
 * spans and refusals. Each batch subtracts those that are no longer valid, and adds the new ones.
 * The touched hours are then summed again.
 */
public final class CapacityProjection implements Projection {

    public static final String POOL = "capacity_pool";
    static final String MEMBER = "capacity_member";
    static final String SPAN = "capacity_span";
    static final String OBSERVATION = "capacity_look";
    static final String REFUSAL = "capacity_refusal";
    static final String CHANGE = "capacity_change";
    static final String HOUR = "capacity_hour";

    private static final JsonMapper JSON = new JsonMapper();

    private final JdbcTemplate jdbc;
    private final EventStreamLoader streamLoader;
    private final ResourceKinds kinds;

    public CapacityProjection(JdbcTemplate jdbc, EventStreams streams) {
        this.jdbc = jdbc;
        this.streamLoader = new EventStreamLoader(jdbc, streams);
        this.kinds = new ResourceKinds(jdbc);
    }

    @Override
    public String name() {
        return Capacities.READ_MODEL;
    }

    @Override
    public List<String> tables() {
        return List.of(POOL, MEMBER, SPAN, OBSERVATION, REFUSAL, CHANGE, HOUR);
    }

    @Override
    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
        new Batch(events, table).apply();
    }

    /** The changes of a batch of events. */
    private final class Batch {

        private final List<RecordedEvent> events;
        private final long firstPosition;
        private final UnaryOperator<String> table;
        private final CapacityChangeWriter changes;

        Batch(List<RecordedEvent> events, UnaryOperator<String> table) {
            this.events = events;
            this.firstPosition = events.getFirst().position();
            this.table = table;
            this.changes = new CapacityChangeWriter(jdbc, table);
        }

        void apply() {
            applyMembers();
            Collection<List<RecordedEvent>> leases =
                    streamLoader.loadStreams(events, LeaseEvent.class);
            Set<GrantedResource> given = applySpans(leases);
            given.addAll(applyObservations());
            if (!given.isEmpty()) {
                updateIdleSpans(given);
            }
            applyRefusals(leases);
            changes.updateHours();
        }

        private void applyMembers() {
            List<PoolMember> opened = new ArrayList<>();
            List<PoolMember> closed = new ArrayList<>();
            for (List<RecordedEvent> life : streamLoader.loadStreams(events, ResourceEvent.class)) {
                for (PoolMember member : PoolMember.of(life)) {
                    Long to = member.to();
                    if (member.from() >= firstPosition) {
                        opened.add(member);
                    } else if (to != null && to >= firstPosition) {
                        closed.add(member);
                    }
                }
            }
            if (!closed.isEmpty()) {
                addMemberEdges(closed, -1);
                closeMembers(closed);
            }
            if (!opened.isEmpty()) {
                insertPools(opened.stream().map(PoolMember::pool).toList());
                insertMembers(opened);
            }
            closed.addAll(opened);
            if (!closed.isEmpty()) {
                addMemberEdges(closed, 1);
            }
        }

        /** Adds the edges of these members as they are in the table, and of their bookings. */
        private void addMemberEdges(List<PoolMember> members, int sign) {
            String these =
                    """
                    (SELECT m.*, %s AS sign FROM unnest(?, ?) k (resource_id, known_from)
                         JOIN %s m USING (resource_id, known_from))\
                    """
                            .formatted(sign, table.apply(MEMBER));
            Object resources = column(members, Long[]::new, each -> each.resource().value());
            Object positions = column(members, Long[]::new, PoolMember::from);
            changes.add(CapacityChangeSql.memberEdges(these), resources, positions);
            changes.add(
                    CapacityChangeSql.spanEdges(currentRows(SPAN), these), resources, positions);
        }

        private void closeMembers(List<PoolMember> members) {
            jdbc.update(
                    """
                    UPDATE %s m SET ends = c.ends::timestamptz, known_to = c.known_to
                    FROM unnest(?, ?, ?, ?) c (resource, known_from, ends, known_to)
                    WHERE m.resource_id = c.resource AND m.known_from = c.known_from
                    """
                            .formatted(table.apply(MEMBER)),
                    column(members, Long[]::new, each -> each.resource().value()),
                    column(members, Long[]::new, PoolMember::from),
                    column(members, String[]::new, each -> text(each.ends())),
                    column(members, Long[]::new, PoolMember::to));
        }

        private void insertMembers(List<PoolMember> members) {
            jdbc.update(
                    """
                    INSERT INTO %s
                    SELECT resource, pool, reservable, totals::jsonb, starts::timestamptz,
                        ends::timestamptz, known_from, known_to
                    FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
                        m (resource, pool, reservable, totals, starts, ends, known_from, known_to)
                    """
                            .formatted(table.apply(MEMBER)),
                    column(members, Long[]::new, each -> each.resource().value()),
                    column(members, UUID[]::new, each -> each.pool().id()),
                    column(members, Boolean[]::new, PoolMember::reservable),
                    column(members, String[]::new, each -> JSON.writeValueAsString(each.totals())),
                    column(members, String[]::new, each -> text(each.starts())),
                    column(members, String[]::new, each -> text(each.ends())),
                    column(members, Long[]::new, PoolMember::from),
                    column(members, Long[]::new, PoolMember::to));
        }

        private void insertPools(List<CapacityPool> pools) {
            Map<UUID, CapacityPool> known = new LinkedHashMap<>();
            for (CapacityPool pool : pools) {
                known.put(pool.id(), pool);
                CapacityPool whole = CapacityPool.ofKind(pool.kind());
                known.put(whole.id(), whole);
            }
            List<CapacityPool> each = List.copyOf(known.values());
            jdbc.update(
                    """
                    INSERT INTO %s
                    SELECT pool, kind, region, zone, properties::jsonb, wish
                    FROM unnest(?, ?, ?, ?, ?, ?) p (pool, kind, region, zone, properties, wish)
                    ON CONFLICT DO NOTHING
                    """
                            .formatted(table.apply(POOL)),
                    column(each, UUID[]::new, CapacityPool::id),
                    column(each, String[]::new, pool -> pool.kind().value()),
                    column(each, String[]::new, CapacityPool::region),
                    column(each, String[]::new, CapacityPool::zone),
                    column(each, String[]::new, CapacityPool::propertiesText),
                    column(each, String[]::new, CapacityPool::wish));
        }

        /** Writes spans, and returns the resources whose given time changed. */
        private Set<GrantedResource> applySpans(Collection<List<RecordedEvent>> leases) {
            List<BookingDelta> known = new ArrayList<>();
            List<BookingDelta> forgotten = new ArrayList<>();
            for (List<RecordedEvent> life : leases) {
                UUID lease = UUID.fromString(life.getFirst().stream());
                for (BookingVersion each : BookingVersion.of(life)) {
                    if (each.from() >= firstPosition && each.to() == null) {
                        known.add(new BookingDelta(lease, each.booking(), 1));
                    } else if (each.isUndoneSince(firstPosition)) {
                        forgotten.add(new BookingDelta(lease, each.booking(), -1));
                    }
                }
            }
            if (!forgotten.isEmpty()) {
                deleteSpans(forgotten);
            }
            if (!known.isEmpty()) {
                jdbc.update(
                        """
                        INSERT INTO %1$s (%2$s) SELECT %2$s FROM %3$s s
                        """
                                .formatted(
                                        table.apply(SPAN),
                                        BookingDelta.COLUMNS,
                                        BookingDelta.RELATION),
                        BookingDelta.columns(known));
            }
            forgotten.addAll(known);
            if (!forgotten.isEmpty()) {
                changes.add(
                        CapacityChangeSql.spanEdges(BookingDelta.RELATION, currentRows(MEMBER)),
                        BookingDelta.columns(forgotten));
            }
            return forgotten.stream()
                    .filter(span -> span.booking().what() == Booking.What.ACTIVE)
                    .map(GrantedResource::of)
                    .collect(Collectors.toCollection(HashSet::new));
        }

        private void deleteSpans(List<BookingDelta> spans) {
            jdbc.update(
                    """
                    DELETE FROM %s t USING %s s
                    WHERE t.lease_id = s.lease_id AND t.reservation_id = s.reservation_id
                      AND t.resource_id = s.resource_id AND t.what = s.what AND t.starts = s.starts
                    """
                            .formatted(table.apply(SPAN), BookingDelta.RELATION),
                    BookingDelta.columns(spans));
        }

        private Set<GrantedResource> applyObservations() {
            List<RecordedEvent> looks =
                    events.stream().filter(event -> event.event() instanceof UseObserved).toList();
            if (looks.isEmpty()) {
                return Set.of();
            }
            List<UseObserved> seen =
                    looks.stream().map(look -> (UseObserved) look.event()).toList();
            jdbc.update(
                    """
                    INSERT INTO %s
                    SELECT reservation, resource, position, seen::timestamptz, servers
                    FROM unnest(?, ?, ?, ?, ?) l (reservation, resource, position, seen, servers)
                    """
                            .formatted(table.apply(OBSERVATION)),
                    column(seen, UUID[]::new, each -> each.reservationId().value()),
                    column(seen, Long[]::new, each -> each.resourceId().value()),
                    column(looks, Long[]::new, RecordedEvent::position),
                    column(looks, String[]::new, look -> text(look.decidedAt())),
                    column(seen, Integer[]::new, UseObserved::servers));
            return seen.stream().map(GrantedResource::of).collect(Collectors.toSet());
        }

        /** Computes again when the observed ones among some given resources ran nothing. */
        private void updateIdleSpans(Set<GrantedResource> given) {
            String looks =
                    "(SELECT l.* FROM %s l JOIN %s USING (reservation_id, resource_id))"
                            .formatted(table.apply(OBSERVATION), GrantedResource.RELATION);
            List<GrantedResource> seen =
                    jdbc.query(
                            "SELECT DISTINCT g.* FROM %s JOIN %s USING (reservation_id, resource_id)"
                                    .formatted(table.apply(OBSERVATION), GrantedResource.RELATION),
                            (row, _) -> GrantedResource.of(row),
                            GrantedResource.columns(given));
            if (seen.isEmpty()) {
                return;
            }
            Object[] its = GrantedResource.columns(seen);
            changes.add(
                    CapacityChangeSql.spanEdges(spansOfGiven("IDLE", -1), currentRows(MEMBER)),
                    its);
            jdbc.update(
                    """
                    DELETE FROM %s s USING %s
                    WHERE s.lease_id = g.lease_id AND s.reservation_id = g.reservation_id
                      AND s.resource_id = g.resource_id AND s.what = 'IDLE'
                    """
                            .formatted(table.apply(SPAN), GrantedResource.RELATION),
                    its);
            jdbc.update(
                    "INSERT INTO %1$s (%2$s) SELECT %2$s FROM (%3$s) idle"
                            .formatted(
                                    table.apply(SPAN),
                                    BookingDelta.COLUMNS,
                                    CapacityChangeSql.idleSpans(spansOfGiven("ACTIVE", 1), looks)),
                    Stream.of(its, its).flatMap(Arrays::stream).toArray());
            changes.add(
                    CapacityChangeSql.spanEdges(spansOfGiven("IDLE", 1), currentRows(MEMBER)), its);
        }

        private String spansOfGiven(String what, int sign) {
            return """
            (SELECT s.*, %s AS sign
             FROM %s s JOIN %s USING (lease_id, reservation_id, resource_id)
             WHERE s.what = '%s')\
            """
                    .formatted(sign, table.apply(SPAN), GrantedResource.RELATION, what);
        }

        private void applyRefusals(Collection<List<RecordedEvent>> leases) {
            List<RefusedRequest> refusals =
                    leases.stream()
                            .flatMap(
                                    life ->
                                            RefusedRequest.fromEvents(life, firstPosition, kinds)
                                                    .stream())
                            .sorted(
                                    Comparator.comparingLong(RefusedRequest::position)
                                            .thenComparingInt(RefusedRequest::number))
                            .toList();
            if (refusals.isEmpty()) {
                return;
            }
            insertPools(pools(refusals));
            jdbc.update(
                    """
                    INSERT INTO %s (lease_id, position, number, kind, unmet, starts, ends, wish)
                    SELECT lease::uuid, position, number, kind, unmet, starts::timestamptz,
                        ends::timestamptz, wish
                    FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
                        r (lease, position, number, kind, unmet, starts, ends, wish)
                    """
                            .formatted(table.apply(REFUSAL)),
                    column(refusals, String[]::new, RefusedRequest::lease),
                    column(refusals, Long[]::new, RefusedRequest::position),
                    column(refusals, Integer[]::new, RefusedRequest::number),
                    column(refusals, String[]::new, each -> each.kind().value()),
                    column(refusals, Integer[]::new, RefusedRequest::unmet),
                    column(refusals, String[]::new, each -> text(each.period().start())),
                    column(refusals, String[]::new, each -> text(each.period().end())),
                    column(refusals, UUID[]::new, each -> each.pool().id()));
            String these = "(SELECT * FROM %s WHERE position >= ?)".formatted(table.apply(REFUSAL));
            changes.add(CapacityChangeSql.refusalEdges(these, table.apply(POOL)), firstPosition);
        }

        /** Returns pools for the first requests of a kind, in event order, and for all others. */
        private List<CapacityPool> pools(List<RefusedRequest> refusals) {
            Map<ResourceKind, Set<UUID>> known = new HashMap<>();
            jdbc.query(
                    "SELECT kind, pool_id FROM %s WHERE wish <> ''".formatted(table.apply(POOL)),
                    row -> {
                        known.computeIfAbsent(
                                        new ResourceKind(row.getString("kind")),
                                        _ -> new HashSet<>())
                                .add(row.getObject("pool_id", UUID.class));
                    });
            List<CapacityPool> pools = new ArrayList<>();
            for (RefusedRequest refusal : refusals) {
                Set<UUID> its = known.computeIfAbsent(refusal.kind(), _ -> new HashSet<>());
                if (!refusal.wish().equals(RefusedRequirement.OTHER_REQUESTS)
                        && its.size() < RefusedRequirement.MAX_DISTINCT_REQUESTS) {
                    its.add(refusal.pool().id());
                }
                pools.add(
                        its.contains(refusal.pool().id())
                                ? refusal.pool()
                                : CapacityPool.ofRequest(
                                        refusal.kind(), RefusedRequirement.OTHER_REQUESTS));
            }
            return pools;
        }

        private String currentRows(String name) {
            return "(SELECT *, 1 AS sign FROM %s)".formatted(table.apply(name));
        }
    }

    static @Nullable String text(@Nullable Object instant) {
        return instant == null ? null : instant.toString();
    }

    static <T> Object column(
            Collection<T> rows, IntFunction<Object[]> array, Function<T, @Nullable Object> value) {
        return rows.stream().map(value).toArray(array);
    }
}
