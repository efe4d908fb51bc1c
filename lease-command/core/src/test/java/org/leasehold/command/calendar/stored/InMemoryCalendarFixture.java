package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.stored.InMemoryTables.Listed;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The calendar and the tables of the simulation. */
final class InMemoryCalendarFixture implements CalendarFixture {

    private final UndoLog log = new UndoLog();
    private final InMemoryTables tables = new InMemoryTables(log);
    private final TransactionTemplate transactions =
            new TransactionTemplate(new InMemoryTransactions(log, () -> {}));
    private final IdentityHashMap<Calendar, PendingStartSearches> nextStarts =
            new IdentityHashMap<>();
    private long position;

    @Override
    public Calendar calendar(Duration cleaning) {
        InMemoryCalendar node = node(cleaning);
        nextStarts.put(node.calendar(), node.nextStarts());
        return node.calendar();
    }

    private InMemoryCalendar node(Duration cleaning) {
        return new InMemoryCalendar(
                tables,
                cleaning,
                () -> position,
                Clock.systemUTC(),
                () -> {},
                LongUnaryOperator.identity());
    }

    @Override
    public CalendarFixture withHosts(int count) {
        LongStream.rangeClosed(1, count).forEach(id -> enrol(id, Map.of()));
        return this;
    }

    @Override
    public void enrol(long id, Map<String, String> capabilities) {
        tables.list(
                new Listed(
                        ResourceKind.PHYSICAL_HOST,
                        new ResourceId(id),
                        "host-" + id,
                        Map.of("vcpus", "64", "memory_mb", "65536"),
                        capabilities));
    }

    @Override
    public void relabel(long id, Map<String, String> capabilities) {
        tables.list(listed(id).labelled(capabilities));
    }

    @Override
    public void describe(long id, Map<String, ?> attributes) {
        tables.list(listed(id).described(attributes));
    }

    @Override
    public void enable(long id) {
        serve(id, null);
    }

    @Override
    public void disable(long id, String reason) {
        serve(id, reason);
    }

    private void serve(long id, @Nullable String reason) {
        tables.list(listed(id).serving(reason));
    }

    private Listed listed(long id) {
        return Objects.requireNonNull(tables.resources().get(new ResourceId(id)));
    }

    @Override
    public void happen() {
        position++;
    }

    @Override
    public <T> T command(Supplier<T> body) {
        return transactions.execute(_ -> body.get());
    }

    @Override
    public Grant settle(Calendar calendar, CalendarRequest<?> request) {
        return CalendarFixture.answer(
                command(() -> calendar.executeAndDecide(request, grant -> grant, _ -> true)),
                Objects.requireNonNull(nextStarts.get(calendar)));
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId holder) {
        return node(Duration.ZERO).tenures().leaseOf(holder);
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return node(Duration.ZERO).tenures().isCurrent(tenure);
    }

    @Override
    public List<Claim> claims(ReservationId reservation) {
        return tables.allClaims()
                .filter(claim -> claim.reservation().equals(reservation))
                .map(claim -> new Claim(claim.resource(), claim.during(), claim.share()))
                .sorted(Comparator.comparing(Claim::resource))
                .toList();
    }

    @Override
    public List<Long> holders() {
        return tables.holders().entrySet().stream()
                .flatMap(row -> row.getValue().stream().map(_ -> row.getKey().value()))
                .toList();
    }

    @Override
    public List<String> reliesOn(ReservationId reservation) {
        return tables.allClaims()
                .filter(claim -> claim.reservation().equals(reservation))
                .flatMap(claim -> claim.reliesOn().stream())
                .distinct()
                .sorted()
                .toList();
    }
}
