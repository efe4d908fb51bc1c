package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.v1.http.V1Dates;
import org.leasehold.inventory.BuiltInProperties;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.readmodel.resource.PastInventory;
import org.leasehold.readmodel.resource.PropertyNames;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The write and the read side in memory: it runs commands, and plans reservations with the real
 * plug-in. A test can make it refuse or reject. It has no calendar.
 */
public final class InMemoryEngine
        implements Commands, Leases, PastInventory, EventLogPositions, PropertyNames, Resources {

    private final Clock clock;
    private final Plugins plugins;
    private final FakeIdempotentResponses answers = new FakeIdempotentResponses();
    private final Map<LeaseId, LeaseView> leases = new LinkedHashMap<>();
    private final SortedMap<ResourceId, ResourceView> resources = new TreeMap<>();
    private final Map<String, ResourceProperty> properties = new TreeMap<>();
    private final List<ResourceCalendar> calendars = new ArrayList<>();

    private @Nullable Outcome<LeaseRejection> nextForLease;
    private @Nullable Shortage nextOfFirst;
    private @Nullable Outcome<ResourceRejection> nextForResource;
    private @Nullable LeaseCommand lastCommand;
    private @Nullable CommandContext lastContext;
    private final NavigableMap<Long, Then> past = new TreeMap<>();
    private long position;
    private long resourceIds;

    public InMemoryEngine(Clock clock, Plugins plugins) {
        this.clock = clock;
        this.plugins = plugins;
    }

    /** Returns the stored responses. */
    public FakeIdempotentResponses answers() {
        return answers;
    }

    public synchronized void reset() {
        answers.forget();
        leases.clear();
        past.clear();
        resources.clear();
        properties.clear();
        calendars.clear();
        nextForLease = null;
        nextOfFirst = null;
        nextForResource = null;
        lastCommand = null;
        lastContext = null;
        resourceIds = 0;
    }

    @Override
    public long last() {
        return position;
    }

    @Override
    public synchronized long at(Instant instant) {
        return past.values().stream()
                .filter(then -> !then.at().isAfter(instant))
                .mapToLong(Then::position)
                .max()
                .orElse(0);
    }

    @Override
    public synchronized Optional<LeaseView> find(
            LeaseId id, @Nullable ProjectId project, long asOf) {
        return Optional.ofNullable(past.floorEntry(asOf))
                .map(then -> then.getValue().leases().get(id))
                .filter(lease -> project == null || lease.projectId().equals(project));
    }

    @Override
    public synchronized Optional<ResourceView> resource(ResourceId id, long asOf) {
        return Optional.ofNullable(past.floorEntry(asOf))
                .map(then -> then.getValue().resources().get(id));
    }

    @Override
    public synchronized Visibility visibility(ResourceKind kind, String property, long asOf) {
        return Optional.ofNullable(past.floorEntry(asOf))
                .map(then -> then.getValue().properties().get(property))
                .map(then -> new Visibility(then.hidden(), then.updatedAt()))
                .orElse(new Visibility(false, null));
    }

    @Override
    public synchronized Set<String> findKnown(ResourceKind kind, Set<String> wanted) {
        Set<String> names = new TreeSet<>();
        resources.values().stream()
                .filter(resource -> resource.kind().equals(kind))
                .forEach(
                        resource -> {
                            names.addAll(BuiltInProperties.names());
                            names.addAll(resource.attributes().keySet());
                            names.addAll(resource.capabilities().keySet());
                        });
        return names;
    }

    private long made(LeaseId id) {
        return past.values().stream()
                .filter(then -> then.leases().containsKey(id))
                .mapToLong(Then::position)
                .min()
                .orElse(1);
    }

    /** A past state. */
    private record Then(
            Instant at,
            long position,
            Map<LeaseId, LeaseView> leases,
            Map<ResourceId, ResourceView> resources,
            Map<String, ResourceProperty> properties) {}

    public long position() {
        return position;
    }

    public void refuseNext(Shortage shortage) {
        nextForLease = new Outcome.Refused<>(List.of(shortage), position);
    }

    /** Sets a shortage of the first new reservation of the next request, with any id. */
    public void refuseFirstOfNext(Shortage shortage) {
        nextOfFirst = shortage;
    }

    private @Nullable Outcome<LeaseRejection> scripted(LeaseCommand command) {
        Outcome<LeaseRejection> scripted = nextForLease;
        Shortage shortage = nextOfFirst;
        List<ReservationWish> wishes = newReservations(command);
        if (shortage != null && !wishes.isEmpty()) {
            scripted =
                    new Outcome.Refused<>(
                            List.of(
                                    new Shortage(
                                            wishes.getFirst().id(),
                                            shortage.kind(),
                                            shortage.wanted(),
                                            shortage.matching(),
                                            shortage.free(),
                                            shortage.part(),
                                            shortage.freeInPart(),
                                            shortage.nextStart())),
                            position);
        }
        nextForLease = null;
        nextOfFirst = null;
        return scripted;
    }

    private static List<ReservationWish> newReservations(LeaseCommand command) {
        if (command instanceof CreateLease create) {
            return create.reservations();
        }
        return command instanceof ChangeLease change ? change.further() : List.of();
    }

    public void rejectNext(LeaseRejection rejection) {
        nextForLease = new Outcome.Rejected<>(rejection);
    }

    public void rejectNext(ResourceRejection rejection) {
        nextForResource = new Outcome.Rejected<>(rejection);
    }

    public LeaseCommand lastCommand() {
        return Objects.requireNonNull(lastCommand);
    }

    public CommandContext lastContext() {
        return Objects.requireNonNull(lastContext);
    }

    public void hold(ResourceCalendar calendar) {
        calendars.add(calendar);
    }

    /** Changes a lease as the engine's own sagas do. */
    public void alter(LeaseId id, UnaryOperator<LeaseView> change) {
        leases.computeIfPresent(id, (key, lease) -> change.apply(lease));
    }

    @Override
    public synchronized Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        lastCommand = command;
        lastContext = context;
        Outcome<LeaseRejection> scripted = scripted(command);
        if (scripted != null) {
            return scripted;
        }
        Optional<LeaseRejection> rejection =
                unexpected(command.leaseId(), context).or(() -> carryOut(command));
        return rejection
                .<Outcome<LeaseRejection>>map(Outcome.Rejected::new)
                .orElseGet(() -> new Outcome.Accepted<>(store()));
    }

    private long store() {
        position++;
        past.put(
                position,
                new Then(
                        storedAt(position),
                        position,
                        Map.copyOf(leases),
                        Map.copyOf(resources),
                        Map.copyOf(properties)));
        return position;
    }

    /** Returns the time of a position: a second for each, from a day before the fixed clock. */
    public Instant storedAt(long stored) {
        return clock.instant().minus(Duration.ofDays(1)).plusSeconds(stored);
    }

    private Optional<LeaseRejection> unexpected(LeaseId id, CommandContext context) {
        Set<Long> expected = context.expectedVersions();
        LeaseView lease = leases.get(id);
        return expected == null || lease == null || expected.contains(lease.version())
                ? Optional.empty()
                : Optional.of(new LeaseRejection.VersionMismatch(id, lease.version()));
    }

    private Optional<LeaseRejection> carryOut(LeaseCommand command) {
        return switch (command) {
            case CreateLease create -> create(create);
            case ChangeLease change -> change(change);
            case LeaseCommand.DeleteLease delete -> {
                leases.remove(delete.leaseId());
                yield Optional.empty();
            }
            case LeaseCommand.ImportLease c -> throw new AssertionError(c);
            case LeaseCommand.StartLease c -> throw new AssertionError(c);
            case LeaseCommand.AnnounceEnd c -> throw new AssertionError(c);
            case LeaseCommand.EndLease end -> end(end.leaseId());
            case LeaseCommand.ConfirmStart c -> throw new AssertionError(c);
            case LeaseCommand.ConfirmAdjustment c -> throw new AssertionError(c);
            case LeaseCommand.ConfirmRelease c -> throw new AssertionError(c);
            case LeaseCommand.ReportFault c -> throw new AssertionError(c);
            case LeaseCommand.NoteOutage c -> throw new AssertionError(c);
            case LeaseCommand.RetryLease retry -> Optional.empty();
            case LeaseCommand.ForceEnd force -> end(force.leaseId());
        };
    }

    private Optional<LeaseRejection> create(CreateLease command) {
        Instant minute = V1Dates.truncateToMinute(clock.instant());
        if (command.name().codePointCount(0, command.name().length()) > 80) {
            return Optional.of(new LeaseRejection.InvalidName(command.name().length(), 80));
        }
        if (command.start().isBefore(minute)) {
            return Optional.of(new LeaseRejection.StartInPast(command.start(), clock.instant()));
        }
        if (!command.end().isAfter(command.start())) {
            return Optional.of(new LeaseRejection.EndNotAfterStart(command.start(), command.end()));
        }
        LeasePeriod period = new LeasePeriod(command.start(), command.end());
        if (command.beforeEnd() != null && !period.contains(command.beforeEnd())) {
            return Optional.of(new LeaseRejection.BeforeEndOutside(command.beforeEnd(), period));
        }
        List<ReservationView> reservations = new ArrayList<>();
        Optional<LeaseRejection> unclear = add(command.reservations(), reservations);
        if (unclear.isPresent()) {
            return unclear;
        }
        leases.put(command.leaseId(), view(command, reservations));
        return Optional.empty();
    }

    private Optional<LeaseRejection> add(
            List<ReservationWish> wishes, List<ReservationView> reservations) {
        for (int i = 0; i < wishes.size(); i++) {
            var wish = wishes.get(i);
            var plugin = plugins.find(wish.kind());
            if (plugin.isEmpty()) {
                return Optional.of(new LeaseRejection.UnknownKind(wish.kind()));
            }
            switch (plugin.get().planning().plan(wish.parameters())) {
                case Plan.Invalid invalid -> {
                    return Optional.of(
                            new LeaseRejection.InvalidReservation(
                                    i, invalid.field(), invalid.message()));
                }
                case Plan.Planned planned ->
                        reservations.add(
                                new ReservationView(
                                        wish.id(),
                                        wish.kind(),
                                        ReservationView.Status.PENDING,
                                        planned.parameters(),
                                        List.of(),
                                        null,
                                        false,
                                        false,
                                        null,
                                        clock.instant(),
                                        null));
            }
        }
        return Optional.empty();
    }

    private LeaseView view(CreateLease command, List<ReservationView> reservations) {
        List<ScheduledEventView> events = new ArrayList<>();
        events.add(event(ScheduledEventView.Type.START_LEASE, command.start()));
        events.add(event(ScheduledEventView.Type.END_LEASE, command.end()));
        if (command.beforeEnd() != null) {
            events.add(event(ScheduledEventView.Type.BEFORE_END_LEASE, command.beforeEnd()));
        }
        return new LeaseView(
                command.leaseId(),
                command.projectId(),
                command.userId(),
                command.name(),
                LeaseStatus.PENDING,
                new LeasePeriod(command.start(), command.end()),
                command.beforeEnd(),
                null,
                reservations,
                events,
                clock.instant(),
                null,
                1);
    }

    private ScheduledEventView event(ScheduledEventView.Type type, Instant time) {
        return new ScheduledEventView(
                UUID.randomUUID(),
                type,
                time,
                ScheduledEventView.Status.UNDONE,
                clock.instant(),
                null);
    }

    private Optional<LeaseRejection> end(LeaseId id) {
        alter(
                id,
                lease ->
                        new LeaseView(
                                lease.id(),
                                lease.projectId(),
                                lease.userId(),
                                lease.name(),
                                LeaseStatus.ENDED,
                                lease.period(),
                                lease.beforeEnd(),
                                lease.explanation(),
                                lease.reservations(),
                                lease.scheduledEvents(),
                                lease.createdAt(),
                                clock.instant(),
                                lease.version() + 1));
        return Optional.empty();
    }

    private Optional<LeaseRejection> change(ChangeLease command) {
        LeaseView lease = leases.get(command.leaseId());
        if (lease == null) {
            return Optional.of(new LeaseRejection.LeaseNotFound(command.leaseId()));
        }
        String name = command.name() == null ? lease.name() : command.name();
        if (name.codePointCount(0, name.length()) > 80) {
            return Optional.of(new LeaseRejection.InvalidName(name.length(), 80));
        }
        Instant start = command.start() == null ? lease.period().start() : command.start();
        Instant end = command.end() == null ? lease.period().end() : command.end();
        if (start.isBefore(V1Dates.truncateToMinute(clock.instant()))) {
            return Optional.of(new LeaseRejection.StartInPast(start, clock.instant()));
        }
        if (!end.isAfter(start)) {
            return Optional.of(new LeaseRejection.EndInPast(end, clock.instant()));
        }
        LeasePeriod period = new LeasePeriod(start, end);
        if (command.beforeEnd() != null && !period.contains(command.beforeEnd())) {
            return Optional.of(new LeaseRejection.BeforeEndOutside(command.beforeEnd(), period));
        }
        List<String> unknown =
                command.reservations().stream()
                        .map(ReservationChange::id)
                        .filter(
                                id ->
                                        lease.reservations().stream()
                                                .noneMatch(r -> r.id().equals(id)))
                        .map(ReservationId::toString)
                        .toList();
        if (!unknown.isEmpty()) {
            return Optional.of(new LeaseRejection.UnknownReservations(unknown));
        }
        List<ReservationView> reservations = new ArrayList<>();
        for (ReservationView reservation : lease.reservations()) {
            ReservationView changed = reservation;
            for (ReservationChange change : command.reservations()) {
                if (change.id().equals(reservation.id())) {
                    Plan plan =
                            plugins.find(reservation.kind())
                                    .orElseThrow()
                                    .planning()
                                    .change(reservation.parameters(), change.parameters(), false);
                    if (plan instanceof Plan.Invalid invalid) {
                        return Optional.of(
                                new LeaseRejection.InvalidReservation(
                                        0, invalid.field(), invalid.message()));
                    }
                    changed = with(reservation, ((Plan.Planned) plan).parameters());
                }
            }
            reservations.add(changed);
        }
        Optional<LeaseRejection> unclear = add(command.further(), reservations);
        if (unclear.isPresent()) {
            return unclear;
        }
        leases.put(
                lease.id(),
                new LeaseView(
                        lease.id(),
                        lease.projectId(),
                        lease.userId(),
                        name,
                        lease.status(),
                        new LeasePeriod(start, end),
                        command.beforeEnd() == null ? lease.beforeEnd() : command.beforeEnd(),
                        null,
                        reservations,
                        lease.scheduledEvents(),
                        lease.createdAt(),
                        clock.instant(),
                        lease.version() + 1));
        return Optional.empty();
    }

    private ReservationView with(
            ReservationView reservation, Map<String, @Nullable Object> parameters) {
        return new ReservationView(
                reservation.id(),
                reservation.kind(),
                reservation.status(),
                parameters,
                reservation.allocations(),
                reservation.cloudIds(),
                reservation.missingResources(),
                reservation.resourcesChanged(),
                null,
                reservation.createdAt(),
                clock.instant());
    }

    @Override
    public synchronized Outcome<ResourceRejection> send(
            ResourceCommand command, CommandContext context) {
        lastContext = context;
        Outcome<ResourceRejection> scripted = nextForResource;
        if (scripted != null) {
            nextForResource = null;
            return scripted;
        }
        Optional<ResourceRejection> rejection =
                switch (command) {
                    case ResourceCommand.EnrolResource enrol -> enrol(enrol);
                    case ResourceCommand.ChangeResource change -> change(change);
                    case ResourceCommand.RetireResource retire -> {
                        resources.remove(retire.resourceId());
                        yield Optional.empty();
                    }
                    case ResourceCommand.DisableResource disable ->
                            serve(disable.resourceId(), disable.reason());
                    case ResourceCommand.EnableResource enable -> serve(enable.resourceId(), null);
                    case ResourceCommand.ReportAttributes _ ->
                            throw new IllegalArgumentException("no request reports: " + command);
                    case ResourceCommand.ReportOutage report ->
                            serve(report.resourceId(), report.reason());
                };
        return rejection
                .<Outcome<ResourceRejection>>map(Outcome.Rejected::new)
                .orElseGet(() -> new Outcome.Accepted<>(store()));
    }

    private Optional<ResourceRejection> enrol(ResourceCommand.EnrolResource command) {
        if (resources.values().stream().anyMatch(r -> r.name().equals(command.name()))) {
            return Optional.of(
                    new ResourceRejection.AlreadyEnrolled(command.kind(), command.name()));
        }
        Optional<ResourceRejection> misnamed = misnamed(command.capabilities());
        if (misnamed.isEmpty()) {
            resources.put(
                    command.resourceId(),
                    new ResourceView(
                            command.resourceId(),
                            command.kind(),
                            command.name(),
                            command.region(),
                            command.zone(),
                            true,
                            null,
                            command.attributes(),
                            command.capabilities(),
                            clock.instant(),
                            null));
            command.capabilities().keySet().forEach(name -> property(name, false, null));
        }
        return misnamed;
    }

    private Optional<ResourceRejection> change(ResourceCommand.ChangeResource command) {
        Optional<ResourceRejection> misnamed = misnamed(command.set());
        if (misnamed.isEmpty()) {
            ResourceView old = Objects.requireNonNull(resources.get(command.resourceId()));
            Map<String, String> capabilities = new TreeMap<>(old.capabilities());
            capabilities.putAll(command.set());
            capabilities.keySet().removeAll(command.removed());
            command.set().keySet().stream()
                    .filter(name -> !properties.containsKey(name))
                    .forEach(name -> property(name, false, null));
            resources.put(
                    old.id(),
                    new ResourceView(
                            old.id(),
                            old.kind(),
                            old.name(),
                            old.region(),
                            old.zone(),
                            old.reservable(),
                            old.disabledReason(),
                            old.attributes(),
                            capabilities,
                            old.createdAt(),
                            clock.instant()));
        }
        return misnamed;
    }

    private Optional<ResourceRejection> serve(ResourceId id, @Nullable String reasonNotTo) {
        resources.computeIfPresent(
                id,
                (key, old) ->
                        new ResourceView(
                                old.id(),
                                old.kind(),
                                old.name(),
                                old.region(),
                                old.zone(),
                                reasonNotTo == null,
                                reasonNotTo,
                                old.attributes(),
                                old.capabilities(),
                                old.createdAt(),
                                clock.instant()));
        return Optional.empty();
    }

    private static Optional<ResourceRejection> misnamed(Map<String, String> capabilities) {
        return capabilities.keySet().stream()
                .filter(name -> name.isEmpty() || name.length() > 64)
                .findFirst()
                .map(
                        name ->
                                new ResourceRejection.InvalidCapability(
                                        name, "has 1 to 64 characters"));
    }

    private void property(String name, boolean hidden, @Nullable Instant updatedAt) {
        properties.put(
                name,
                new ResourceProperty(
                        UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)),
                        ResourceKind.PHYSICAL_HOST,
                        name,
                        hidden,
                        List.of(),
                        clock.instant(),
                        updatedAt));
    }

    @Override
    public synchronized void send(PropertyVisibility command, CommandContext context) {
        lastContext = context;
        property(command.property(), command.hidden(), clock.instant());
        store();
    }

    @Override
    public void send(UseObserved command, CommandContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized Rehearsal rehearse(CreateLease command, CommandContext context) {
        Outcome<LeaseRejection> scripted = scripted(command);
        if (scripted != null) {
            return new Rehearsal(scripted, List.of());
        }
        Optional<LeaseRejection> rejection = create(command);
        leases.remove(command.leaseId());
        if (rejection.isPresent()) {
            return new Rehearsal(new Outcome.Rejected<>(rejection.get()), List.of());
        }
        List<LeaseEvent> grants = new ArrayList<>();
        for (var wish : command.reservations()) {
            grants.add(
                    new LeaseEvent.ReservationGranted(
                            command.leaseId(),
                            wish.id(),
                            new LeasePeriod(command.start(), command.end()),
                            Duration.ZERO,
                            List.of(new Allocation(new ResourceId(1), "compute-1", Map.of()))));
        }
        return new Rehearsal(new Outcome.Accepted<>(position), grants);
    }

    @Override
    public ResourceId nextResourceId() {
        return new ResourceId(++resourceIds);
    }

    @Override
    public synchronized Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        return Optional.ofNullable(leases.get(id))
                .filter(lease -> project == null || lease.projectId().equals(project));
    }

    @Override
    public synchronized Page<LeaseView> list(ListLeases question) {
        List<LeaseView> fitting = fitting(leases.values(), question);
        String marker = question.marker();
        if (marker != null
                && find(Page.parseMarker(marker, LeaseId::of), question.filter().project())
                        .isEmpty()) {
            throw new UnknownMarker(marker);
        }
        return page(fitting, lease -> lease.id().toString(), marker, question.limit());
    }

    @Override
    public synchronized Page<LeaseView> list(ListLeases question, long asOf) {
        Map.Entry<Long, Then> then = past.floorEntry(asOf);
        List<LeaseView> known =
                then == null
                        ? List.of()
                        : then.getValue().leases().values().stream()
                                .sorted(Comparator.comparing(lease -> made(lease.id())))
                                .toList();
        String marker = question.marker();
        if (marker != null && known.stream().noneMatch(l -> l.id().toString().equals(marker))) {
            throw new UnknownMarker(marker);
        }
        return page(
                fitting(known, question), lease -> lease.id().toString(), marker, question.limit());
    }

    private static List<LeaseView> fitting(Collection<LeaseView> all, ListLeases question) {
        LeaseOrder order = question.order();
        List<LeaseView> sorted = inOrder(all, order.direction());
        if (order.key() != LeaseOrder.Key.CREATED) {
            sorted.sort(order.comparator());
        }
        return sorted.stream()
                .filter(question.filter()::matches)
                .filter(lease -> hasResource(lease, question.filter().resource()))
                .toList();
    }

    private static boolean hasResource(LeaseView lease, @Nullable ResourceId resource) {
        return resource == null
                || lease.reservations().stream()
                        .flatMap(reservation -> reservation.allocations().stream())
                        .anyMatch(allocation -> allocation.resource().equals(resource));
    }

    @Override
    public synchronized Page<ResourceView> page(ListResources question) {
        return page(
                inOrder(list(question.kind()), question.part().direction()).stream()
                        .filter(r -> question.name() == null || r.name().equals(question.name()))
                        .toList(),
                resource -> resource.id().toString(),
                question.part());
    }

    @Override
    public synchronized Page<ResourceCalendar> page(ListAllocations question) {
        return page(
                inOrder(
                        allocations(
                                question.kind(),
                                null,
                                question.lease(),
                                question.reservation(),
                                question.from()),
                        question.part().direction()),
                calendar -> calendar.resource().toString(),
                question.part());
    }

    private static <T> List<T> inOrder(Collection<T> ascending, SortDirection direction) {
        List<T> list = new ArrayList<>(ascending);
        return direction == SortDirection.ASCENDING ? list : list.reversed();
    }

    private static <T> Page<T> page(List<T> items, Function<T, String> id, Part part) {
        return page(
                items,
                id,
                part.after() == null ? null : part.after().toString(),
                part.limit() == null ? 1000 : part.limit());
    }

    private static <T> Page<T> page(
            List<T> items, Function<T, String> id, @Nullable String after, int limit) {
        int from = items.stream().map(id).toList().indexOf(after) + 1;
        int to = Math.min(items.size(), from + limit);
        List<T> page = items.subList(from, to);
        return new Page<>(page, to < items.size() ? id.apply(page.getLast()) : null);
    }

    @Override
    public synchronized List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        return find(id, project).stream()
                .map(
                        lease ->
                                new HistoryEntry(
                                        made(id),
                                        0,
                                        lease.createdAt(),
                                        "LeaseRequested",
                                        lease.userId().value(),
                                        lease.projectId().value(),
                                        List.of("member"),
                                        "req-1",
                                        null,
                                        "because",
                                        Map.of("name", lease.name())))
                .toList();
    }

    @Override
    public synchronized Optional<ResourceView> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id));
    }

    @Override
    public synchronized List<ResourceView> list(@Nullable ResourceKind kind) {
        return resources.values().stream()
                .filter(resource -> kind == null || resource.kind().equals(kind))
                .toList();
    }

    @Override
    public synchronized List<ResourceCalendar> allocations(
            ResourceKind kind,
            @Nullable ResourceId resource,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from) {
        return list(kind).stream()
                .filter(host -> resource == null || host.id().equals(resource))
                .map(
                        host ->
                                new ResourceCalendar(
                                        host.id(),
                                        host.name(),
                                        holdings(host.id(), lease, reservation, from)))
                .toList();
    }

    private List<Holding> holdings(
            ResourceId host,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from) {
        return calendars.stream()
                .filter(calendar -> calendar.resource().equals(host))
                .flatMap(calendar -> calendar.holdings().stream())
                .filter(holding -> lease == null || holding.lease().equals(lease))
                .filter(h -> reservation == null || h.reservation().equals(reservation))
                .filter(holding -> !holding.period().end().isBefore(from))
                .sorted(Comparator.comparing(holding -> holding.period().start()))
                .toList();
    }

    @Override
    public synchronized List<ResourceProperty> properties(ResourceKind kind) {
        return properties.values().stream()
                .map(
                        p ->
                                new ResourceProperty(
                                        p.id(),
                                        p.kind(),
                                        p.name(),
                                        p.hidden(),
                                        values(p.name()),
                                        p.createdAt(),
                                        p.updatedAt()))
                .toList();
    }

    @Override
    public synchronized Page<CountedProperty> page(ListProperties question) {
        List<CountedProperty> visible =
                properties(question.kind()).stream()
                        .filter(property -> question.hiddenToo() || !property.hidden())
                        .filter(p -> question.name() == null || p.name().equals(question.name()))
                        .map(property -> new CountedProperty(property, counts(property), false))
                        .toList();
        String marker = question.marker();
        if (marker != null && visible.stream().noneMatch(p -> isAt(marker, p))) {
            throw new UnknownMarker(marker);
        }
        return page(visible, p -> p.property().id().toString(), marker, question.limit());
    }

    private static boolean isAt(String marker, CountedProperty property) {
        return property.property().id().toString().equals(marker);
    }

    private List<ValueCount> counts(ResourceProperty property) {
        return property.values().stream()
                .map(
                        value ->
                                new ValueCount(
                                        value,
                                        resources.values().stream()
                                                .map(r -> r.capabilities().get(property.name()))
                                                .filter(value::equals)
                                                .count()))
                .toList();
    }

    @Override
    public synchronized Set<String> hiddenProperties(ResourceKind kind) {
        return properties.values().stream()
                .filter(ResourceProperty::hidden)
                .map(ResourceProperty::name)
                .collect(Collectors.toSet());
    }

    private List<String> values(String property) {
        var values = new TreeSet<String>();
        resources
                .values()
                .forEach(
                        resource -> {
                            String value = resource.capabilities().get(property);
                            if (value != null) {
                                values.add(value);
                            }
                        });
        return List.copyOf(values);
    }
}
