package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Nothing;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Holders.Taking;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A calendar in memory that nobody else looks at, for a past that is lived once more. It chooses,
 * refuses and replaces as the engine does; but what was granted once is granted again, if it is
 * there and free: the engine may have chosen it when others were on their way.
 */
public final class PaperCalendar implements Calendar {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Undoing undoing = new Undoing();
    private final PaperResources resources = new PaperResources();
    private final PaperHolders holders = new PaperHolders(resources, undoing);
    private final Inventories inventories = new Inventories(resources);
    private final PaperClaims claims;
    private final Again again;
    private final Holding holding;
    private final TakingUp takingUp;
    private final Adopting adopting;
    private Expected expected = Expected.NOTHING;
    private boolean differs;

    /** Nothing is claimed, and there are no resources. */
    public PaperCalendar() {
        claims = new PaperClaims(resources, holders, undoing);
        // It never knows anything: all that there is is looked at.
        ClaimIndex index = new ClaimIndex();
        Wariness wariness = new Wariness();
        CalendarGroup group = new CalendarGroup(claims, holders, index, wariness);
        // Nobody waits for this calendar: starts are searched at once.
        Refusing refusing =
                new Refusing(
                        claims,
                        (refused, search, _) ->
                                new Grant.TooFew(
                                        search.complete(refused.shortages(), claims, List.of()),
                                        refused.asOf()),
                        Refusing.EXPLAINED_CLAIMS);
        holding = new Holding(inventories, claims, holders, index, group, wariness, refusing);
        again = new Again(claims, holders, holding);
        takingUp = new TakingUp(inventories, claims, holders, index, group, wariness);
        adopting = new Adopting(inventories, claims, holders);
    }

    /**
     * What came of a command once.
     *
     * @param granted per reservation; those that are not named were granted nothing
     * @param replacements what took the place of something else
     */
    public record Expected(
            Map<ReservationId, List<Allocation>> granted, List<ResourceId> replacements) {

        public static final Expected NOTHING = new Expected(Map.of(), List.of());

        public Expected {
            granted = Map.copyOf(granted);
            replacements = List.copyOf(replacements);
        }
    }

    /** What came of the next command once. */
    public void expect(Expected once) {
        expected = once;
    }

    /** From now on this is not the world that was: who got too little once may get more. */
    public void differs() {
        differs = true;
    }

    /** From now on resources are kept for so long after a lease; not at all to begin with. */
    public void cleaning(Duration cleaning) {
        claims.cleaning(cleaning);
    }

    /**
     * Adds a resource, or replaces what was known of it.
     *
     * @param disabledReason null while it is in service
     */
    public void list(
            ResourceKind kind,
            ResourceId id,
            String name,
            @Nullable String region,
            @Nullable String zone,
            Map<String, @Nullable Object> attributes,
            Map<String, String> capabilities,
            @Nullable String disabledReason) {
        KnownResource resource =
                KnownResource.of(
                        kind,
                        new Allocation(id, name, Map.of()),
                        new KnownResource.Place(region, zone),
                        JSON.valueToTree(attributes),
                        JSON.valueToTree(capabilities),
                        disabledReason == null,
                        resources.version());
        resources.put(resource, disabledReason);
    }

    /** A lease has been promised, and has, what its events tell, as if it had asked here. */
    public void keep(LeaseId lease, List<RecordedEvent> life) {
        LeaseCalendar its = LeaseCalendar.of(life);
        its.promises().forEach((slot, promise) -> claims.keep(lease, slot, promise));
        // Since when, nobody asks here.
        Instant since = life.getLast().decidedAt();
        its.holders()
                .forEach(
                        (slot, tenure) ->
                                holders.keep(
                                        new Taking(lease, tenure, slot.resource(), since),
                                        its.isShare(slot)));
    }

    /** The resource is no longer one of these. */
    public void strike(ResourceId id) {
        resources.retire(id);
    }

    /** Whether there is a resource that meets a requirement, in service or not. */
    public boolean meets(ResourceId id, ResourceKind kind, Requirement requirement) {
        return resources
                .find(id)
                .filter(resource -> Inventory.meets(resource, kind, requirement))
                .isPresent();
    }

    public void forgetClaimsBefore(Instant instant) {
        claims.forgetBefore(instant, Integer.MAX_VALUE);
    }

    @Override
    public <D> D settle(CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep) {
        Runnable undo = undoing.mark();
        Grant grant = carryOut(request, undo);
        D decision = decide.apply(grant);
        if (!keep.test(decision)) {
            undo.run();
        }
        return decision;
    }

    private Grant carryOut(CalendarRequest request, Runnable undo) {
        return switch (request) {
            case Nothing() -> new Grant.Done();
            case Hold hold -> hold(hold, undo);
            case TakeUp takeUp -> takeUp(takeUp);
            case Adopt adopt -> adopting.adopt(adopt);
            case Shorten(var lease, var end) -> {
                claims.shorten(lease, end);
                yield new Grant.Done();
            }
            case LetGo(var reservation, var its) -> {
                holders.letGo(reservation, its);
                yield new Grant.Done();
            }
            case GiveUp(var lease, var end) -> {
                claims.shorten(lease, end);
                holders.letAllGo(lease);
                yield new Grant.Done();
            }
        };
    }

    private Grant takeUp(TakeUp request) {
        resources.prefer(expected.replacements());
        try {
            return takingUp.takeUp(request);
        } finally {
            resources.prefer(List.of());
        }
    }

    private Grant hold(Hold request, Runnable undo) {
        Optional<Grant> granted = again.grant(request, latest(), expected.granted(), differs);
        if (granted.isPresent()) {
            return granted.get();
        }
        undo.run();
        Grant grant = holding.hold(preferring(request));
        if (grant instanceof Grant.TooFew) {
            undo.run();
        }
        return grant;
    }

    /** What was granted once comes first: as if it had been held already. */
    private Hold preferring(Hold request) {
        return new Hold(
                request.lease(),
                request.project(),
                request.wanted().stream()
                        .map(
                                wanted ->
                                        wanted.running() || !wanted.current().isEmpty()
                                                ? wanted
                                                : new Wanted(
                                                        wanted.reservation(),
                                                        wanted.demand(),
                                                        wanted.period(),
                                                        granted(wanted.reservation()).stream()
                                                                .map(Allocation::resource)
                                                                .toList(),
                                                        false))
                        .toList());
    }

    private List<Allocation> granted(ReservationId reservation) {
        return expected.granted().getOrDefault(reservation, List.of());
    }

    private Inventory latest() {
        Inventory latest = inventories.latest();
        return latest.version() == resources.version() ? latest : inventories.reload();
    }
}
