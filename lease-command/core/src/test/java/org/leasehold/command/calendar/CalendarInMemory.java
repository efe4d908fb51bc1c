package org.leasehold.command.calendar;

import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.command.calendar.InMemoryTables.Listed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The tables of the simulation. */
final class CalendarInMemory implements CalendarWorld {

    private final InMemoryTables tables = new InMemoryTables();
    private long position;
    private long versions;

    @Override
    public InMemoryCalendar calendar(Duration cleaning) {
        return new InMemoryCalendar(tables, cleaning, () -> position, () -> {});
    }

    @Override
    public CalendarWorld withHosts(int count) {
        LongStream.rangeClosed(1, count).forEach(id -> enrol(id, Map.of()));
        return this;
    }

    @Override
    public void enrol(long id, Map<String, String> capabilities) {
        relabel(id, capabilities);
    }

    @Override
    public void relabel(long id, Map<String, String> capabilities) {
        Map<String, String> properties = new TreeMap<>(capabilities);
        properties.put("name", "host-" + id);
        properties.put("vcpus", "64");
        versions++;
        tables.list(
                new Listed(
                        ResourceKind.PHYSICAL_HOST,
                        new Allocation(new ResourceId(id), "host-" + id, properties),
                        null,
                        versions));
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
        Listed before = Objects.requireNonNull(tables.resources().get(new ResourceId(id)));
        versions++;
        tables.list(new Listed(before.kind(), before.allocation(), reason, versions));
    }

    @Override
    public void happen() {
        position++;
    }

    @Override
    public <T> T command(Supplier<T> body) {
        return DefaultUnitOfWork.startAndGet(new GenericMessage<>("a command"))
                .executeWithResult(body::get)
                .getPayload();
    }

    @Override
    public Grant settle(Calendar calendar, CalendarRequest request) {
        return command(() -> calendar.settle(request, grant -> grant, _ -> true));
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return calendar(Duration.ZERO).isCurrent(tenure);
    }

    @Override
    public List<Claim> claims(ReservationId reservation) {
        return tables.allClaims()
                .filter(claim -> claim.reservation().equals(reservation))
                .map(claim -> new Claim(claim.resource(), claim.during()))
                .sorted(Comparator.comparing(Claim::resource))
                .toList();
    }

    @Override
    public List<Long> holders() {
        return tables.holders().keySet().stream().map(ResourceId::value).toList();
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
