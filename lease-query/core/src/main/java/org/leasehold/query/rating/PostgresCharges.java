package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.ResourceKinds;
import org.leasehold.query.projection.LeaseRequests;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.Tenure;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Charges of the leases of a window: the table of bookings has the leases, and their events the
 * costs. Only those of the leases on a page are read.
 */
final class PostgresCharges implements Charges {

    private static final String CURRENT_CONDITION = "known_to IS NULL";
    private static final String AS_OF_CONDITION =
            "known_from <= :as_of AND (known_to IS NULL OR known_to > :as_of)";

    /** The largest delay of a stalled node between a decision and the storing of its event. */
    private static final Duration MAX_STORAGE_DELAY = Duration.ofDays(1);

    /** A small number, because a lease's events have all properties of all granted resources. */
    private static final int MAX_PAGE_SIZE = 100;

    private final JdbcTemplate jdbc;
    private final EventStreams streams;
    private final EventLogPositions positions;
    private final PricePlans plans;
    private final ResourceKinds kinds;

    PostgresCharges(
            JdbcTemplate jdbc,
            EventStreams streams,
            EventLogPositions positions,
            PricePlans plans) {
        this.jdbc = jdbc;
        this.streams = streams;
        this.positions = positions;
        this.plans = plans;
        this.kinds = new ResourceKinds(jdbc);
    }

    @Override
    public boolean hasPlans() {
        return !plans.isEmpty();
    }

    @Override
    public List<ApplicablePlan> plansFrom(Instant instant) {
        return plans.from(instant).stream()
                .map(plan -> new ApplicablePlan(plan.name(), plan.currency(), plan.from()))
                .toList();
    }

    @Override
    public Page<LeaseCharges> page(ListCharges question) {
        String marker = question.marker();
        UUID last = marker == null ? null : Page.parseMarker(marker, LeaseId::of).value();
        if (plans.isEmpty()) {
            return new Page<>(List.of(), null);
        }
        ProjectId project = question.project();
        String owner = project == null ? null : project.value();
        int limit = Math.min(question.limit(), MAX_PAGE_SIZE);
        Long asOf = question.asOf();
        long through = positions.at(question.to().plus(MAX_STORAGE_DELAY));
        // One lease more than requested shows whether there is a next page.
        List<LeaseId> found =
                JdbcClient.create(jdbc)
                        .sql(leasesQuery(asOf == null ? CURRENT_CONDITION : AS_OF_CONDITION))
                        .param("from", question.from().atOffset(ZoneOffset.UTC))
                        .param("to", question.to().atOffset(ZoneOffset.UTC))
                        .param("after", positions.at(question.from().minus(MAX_STORAGE_DELAY)))
                        .param("through", asOf == null ? through : Math.min(asOf, through))
                        .param("as_of", asOf)
                        .param("project", owner)
                        .param("last", last)
                        .param("limit", limit + 1)
                        .query((row, _) -> new LeaseId(row.getObject(1, UUID.class)))
                        .list();
        Page<LeaseId> page = Page.of(found, limit, LeaseId::toString);
        return new Page<>(charges(page.items(), question), page.next());
    }

    // A grant in the window may be for another time, or cancelled since: then only its row remains.
    private static String leasesQuery(String known) {
        return """
        SELECT DISTINCT lease_id FROM booking
        WHERE (what = 'PROMISED' AND %s AND starts < :to AND ends > :from
                OR known_from > :after AND known_from <= :through)
          AND (:project::text IS NULL OR project_id = :project)
          AND (:last::uuid IS NULL OR lease_id > :last)
        ORDER BY lease_id LIMIT :limit
        """
                .formatted(known);
    }

    private List<LeaseCharges> charges(List<LeaseId> leases, ListCharges question) {
        Instant until = question.to().isAfter(question.now()) ? question.now() : question.to();
        Map<String, List<RecordedEvent>> lives = eventsByLease(leases, question.asOf());
        Map<String, ChargeableLease> leased = new LinkedHashMap<>();
        lives.forEach((id, life) -> leased.put(id, ChargeableLease.of(life, until)));
        Map<ResourceId, ResourceKind> kinds = kinds(leased.values());
        List<LeaseCharges> charges = new ArrayList<>();
        leased.forEach(
                (id, lease) -> {
                    List<Charge> lines =
                            Rating.of(
                                    lease,
                                    resource -> Objects.requireNonNull(kinds.get(resource)),
                                    plans,
                                    question.from(),
                                    question.to());
                    if (!lines.isEmpty()) {
                        ProjectId owner = ownerOf(Objects.requireNonNull(lives.get(id)));
                        charges.add(new LeaseCharges(LeaseId.of(id), owner, lines));
                    }
                });
        return charges;
    }

    /** Returns all events by lease, in the order of the leases. */
    private Map<String, List<RecordedEvent>> eventsByLease(
            List<LeaseId> leases, @Nullable Long asOf) {
        long known = asOf == null ? Long.MAX_VALUE : asOf;
        Map<String, List<RecordedEvent>> lives = new LinkedHashMap<>();
        List<String> ids = leases.stream().map(LeaseId::toString).toList();
        ids.forEach(id -> lives.put(id, new ArrayList<>()));
        if (!ids.isEmpty()) {
            ConnectionCallback<List<RecordedEvent>> reading =
                    connection -> streams.read(connection, ids, known);
            for (RecordedEvent event : Objects.requireNonNull(jdbc.execute(reading))) {
                Objects.requireNonNull(lives.get(event.stream())).add(event);
            }
        }
        return lives;
    }

    private Map<ResourceId, ResourceKind> kinds(Collection<ChargeableLease> leases) {
        return kinds.of(
                leases.stream()
                        .flatMap(lease -> lease.account().stream())
                        .map(AccountEntry::resource)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private static ProjectId ownerOf(List<RecordedEvent> life) {
        return LeaseRequests.find(life).orElseThrow().projectId();
    }

    @Override
    public List<Charge> quote(List<? extends LeaseEvent> promise, Instant now) {
        ChargeableLease lease = ChargeableLease.of(simulateEvents(promise, now), Instant.MAX);
        Map<ResourceId, ResourceKind> kinds = kinds(List.of(lease));
        return Rating.of(
                lease,
                resource -> Objects.requireNonNull(kinds.get(resource)),
                plans,
                Instant.EPOCH,
                Instant.MAX);
    }

    /** Returns the events of a lease that has all its resources from its start on. */
    static List<RecordedEvent> simulateEvents(List<? extends LeaseEvent> promise, Instant now) {
        List<RecordedEvent> life = new ArrayList<>();
        Map<Instant, List<LeaseEvent>> starts = new TreeMap<>();
        for (LeaseEvent event : promise) {
            life.add(toRecordedEvent(life, event, now));
            if (event instanceof ReservationGranted granted) {
                var tenure = new Tenure(granted.reservationId(), 1);
                starts.computeIfAbsent(granted.period().start(), _ -> new ArrayList<>())
                        .addAll(
                                List.of(
                                        new LeaseStarting(granted.leaseId(), List.of(tenure)),
                                        new ReservationActivated(
                                                granted.leaseId(), granted.reservationId())));
            }
        }
        starts.forEach(
                (start, events) ->
                        events.forEach(event -> life.add(toRecordedEvent(life, event, start))));
        return life;
    }

    private static RecordedEvent toRecordedEvent(
            List<RecordedEvent> before, LeaseEvent event, Instant decided) {
        return new RecordedEvent(
                before.size() + 1L, event.leaseId().toString(), before.size(), event, decided);
    }
}
