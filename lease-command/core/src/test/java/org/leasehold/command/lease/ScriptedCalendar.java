package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.AdoptedReservation;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** A calendar that holds every request, with hosts 1, 2, …, unless a test sets the next grant. */
final class ScriptedCalendar implements Calendar {

    static final long GENERATION = 7;

    private @Nullable Grant next;
    private final List<CalendarRequest<?>> requests = new ArrayList<>();

    void answerNext(Grant grant) {
        next = grant;
    }

    List<CalendarRequest<?>> requests() {
        return requests;
    }

    @Override
    public <D> D executeAndDecide(
            CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
        requests.add(request);
        Grant scripted = next;
        next = null;
        return decide.apply(scripted == null ? grantAll(request) : scripted);
    }

    private static Grant grantAll(CalendarRequest<?> request) {
        return switch (request) {
            case CalendarRequest.Hold hold -> held(hold);
            case CalendarRequest.TakeUp takeUp ->
                    new Grant.TakenUp(
                            takeUp.reservations().stream()
                                    .map(r -> new Tenure(r.reservation(), GENERATION))
                                    .toList(),
                            List.of());
            case CalendarRequest.Adopt adopt -> adopted(adopt);
            case CalendarRequest.Reduce reduce -> reduced(reduce);
            case CalendarRequest.Replace _ -> new Grant.Replaced(List.of());
            case CalendarRequest.ReplaceFailed failed ->
                    new Grant.Unserviceable(failed.running().reservation(), "none is free");
            case CalendarRequest.Nothing _,
                    CalendarRequest.Shorten _,
                    CalendarRequest.LetGo _,
                    CalendarRequest.GiveUp _ ->
                    new Grant.Done();
        };
    }

    /** Grants the demands on the resources that the reservation has, in their order. */
    private static Grant reduced(CalendarRequest.Reduce reduce) {
        int count = reduce.demands().size();
        return new Grant.Reduced(
                reduce.current().subList(0, count),
                Duration.ZERO,
                reduce.current().stream().skip(count).map(Allocation::resource).toList());
    }

    private static Grant adopted(CalendarRequest.Adopt adopt) {
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        List<Tenure> tenures = new ArrayList<>();
        for (AdoptedReservation adopted : adopt.reservations()) {
            allocations.put(
                    adopted.reservation(),
                    adopted.slots().keySet().stream().map(id -> allocation(id.value())).toList());
            if (adopted.held()) {
                tenures.add(new Tenure(adopted.reservation(), GENERATION));
            }
        }
        return new Grant.Held(allocations, Duration.ZERO, tenures);
    }

    private static Grant held(CalendarRequest.Hold hold) {
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        List<Tenure> tenures = new ArrayList<>();
        long host = 1;
        for (CalendarRequest.Wanted wanted : hold.wanted()) {
            List<Allocation> granted =
                    allocations.computeIfAbsent(wanted.reservation(), _ -> new ArrayList<>());
            for (int i = 0; i < wanted.demand().maximum(); i++) {
                granted.add(allocation(host++));
            }
        }
        for (CalendarRequest.Wanted wanted : hold.wanted()) {
            List<ResourceId> resources =
                    allocations.getOrDefault(wanted.reservation(), List.of()).stream()
                            .map(Allocation::resource)
                            .toList();
            Tenure renewed = new Tenure(wanted.reservation(), GENERATION + 1);
            if (wanted.running()
                    && !resources.equals(wanted.current())
                    && !tenures.contains(renewed)) {
                tenures.add(renewed);
            }
        }
        return new Grant.Held(allocations, Duration.ZERO, tenures);
    }

    static Allocation allocation(long host) {
        return new Allocation(new ResourceId(host), "compute-" + host, Map.of("vcpus", "8"));
    }
}
