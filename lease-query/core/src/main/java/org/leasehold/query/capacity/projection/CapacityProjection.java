package org.leasehold.query.capacity.projection;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.account.ResourceKinds;
import org.leasehold.query.projection.EventStreamLoader;
import org.leasehold.query.projection.Projection;
import org.leasehold.readmodel.capacity.Capacities;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

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
        long firstPosition = events.getFirst().position();
        CapacityChangeWriter changes = new CapacityChangeWriter(jdbc, table);
        CapacityPoolWriter pools = new CapacityPoolWriter(jdbc, table.apply(POOL));
        new CapacityMemberWriter(jdbc, table, pools, changes)
                .update(streamLoader.loadStreams(events, ResourceEvent.class), firstPosition);
        Collection<List<RecordedEvent>> leases = streamLoader.loadStreams(events, LeaseEvent.class);
        Set<GrantedResource> given =
                new CapacitySpanWriter(jdbc, table, changes).update(leases, firstPosition);
        IdleSpanWriter idleSpans = new IdleSpanWriter(jdbc, table, changes);
        given.addAll(idleSpans.addObservations(events));
        if (!given.isEmpty()) {
            idleSpans.update(given);
        }
        new CapacityRefusalWriter(jdbc, table, pools, changes)
                .add(refusals(leases, firstPosition), firstPosition);
        changes.updateHours();
    }

    /** Returns the refusals since a position, in order. */
    private List<RefusedRequest> refusals(
            Collection<List<RecordedEvent>> leases, long firstPosition) {
        return leases.stream()
                .flatMap(life -> RefusedRequest.fromEvents(life, firstPosition, kinds).stream())
                .sorted(
                        Comparator.comparingLong(RefusedRequest::position)
                                .thenComparingInt(RefusedRequest::number))
                .toList();
    }

    static @Nullable String text(@Nullable Object instant) {
        return instant == null ? null : instant.toString();
    }

    static <T> Object column(
            Collection<T> rows, IntFunction<Object[]> array, Function<T, @Nullable Object> value) {
        return rows.stream().map(value).toArray(array);
    }
}
