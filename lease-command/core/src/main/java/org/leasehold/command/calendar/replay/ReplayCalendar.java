package org.leasehold.command.calendar.replay;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Nothing;
import org.leasehold.command.calendar.CalendarRequest.Reduce;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.CalendarRequest.ReplaceFailed;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Holders.Taking;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.refusal.RefusalConfirmation;
import org.leasehold.command.calendar.stored.AdoptHandler;
import org.leasehold.command.calendar.stored.CalendarGroupCommit;
import org.leasehold.command.calendar.stored.ContentionMode;
import org.leasehold.command.calendar.stored.HandOverHandler;
import org.leasehold.command.calendar.stored.HoldHandler;
import org.leasehold.command.calendar.stored.ReduceHandler;
import org.leasehold.command.calendar.stored.ReplaceHandler;
import org.leasehold.command.calendar.verification.LeaseCalendarProjection;
import org.leasehold.command.inventory.Resource.Description;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A calendar in memory for the replay of the past. It chooses, refuses and replaces as the engine
 * does. But it repeats a recorded grant if the resources exist and are free: the engine may have
 * chosen them while other commands were running.
 */
public final class ReplayCalendar implements Calendar {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final InMemorySavepoints savepoints = new InMemorySavepoints();
    private final ReplayResources resources = new ReplayResources();
    private final ReplayHolders holders = new ReplayHolders(resources, savepoints);
    private final InventoryCache inventories = new InventoryCache(resources);
    private final ReplayClaims claims;
    private final RecordedGrants recordedGrants;
    private final HoldHandler holdHandler;
    private final HandOverHandler handOverHandler;
    private final AdoptHandler adoptHandler;
    private final ReduceHandler reduceHandler;
    private final ReplaceHandler replaceHandler;
    private Expected expected = Expected.NOTHING;
    private boolean scenarioChanged;

    /** Creates a calendar without claims and resources. */
    public ReplayCalendar() {
        claims = new ReplayClaims(resources, holders, savepoints);
        // The index stays empty: every decision reads the tables.
        ClaimIndex index = new ClaimIndex();
        ContentionMode contentionMode = new ContentionMode();
        CalendarGroupCommit group = new CalendarGroupCommit(claims, holders, index, contentionMode);
        // No request waits for this calendar: starts are searched at once.
        RefusalConfirmation refusalConfirmation =
                new RefusalConfirmation(
                        claims,
                        CalendarMemory.alwaysBehind(index),
                        (refused, search, _) ->
                                new Grant.HoldRefused(
                                        search.addNextStarts(
                                                refused.shortages(), claims, List.of()),
                                        refused.asOf()),
                        RefusalConfirmation.MAX_EXPLAINED_CLAIMS);
        holdHandler =
                new HoldHandler(
                        inventories, claims, holders, group, contentionMode, refusalConfirmation);
        recordedGrants = new RecordedGrants(claims, holders, holdHandler);
        handOverHandler =
                new HandOverHandler(inventories, claims, holders, index, group, contentionMode);
        adoptHandler = new AdoptHandler(inventories, claims, holders);
        reduceHandler = new ReduceHandler(inventories, claims, holders);
        replaceHandler = new ReplaceHandler(inventories, claims, holders);
    }

    /**
     * The recorded result of a command.
     *
     * @param granted per reservation; those that are not named were granted nothing
     * @param replacements the replacements of other resources
     */
    public record Expected(
            Map<ReservationId, List<Allocation>> granted, List<ResourceId> replacements) {

        public static final Expected NOTHING = new Expected(Map.of(), List.of());

        public Expected {
            granted = Map.copyOf(granted);
            replacements = List.copyOf(replacements);
        }
    }

    /** Sets the recorded result of the next command. */
    public void setExpected(Expected once) {
        expected = once;
    }

    /** Marks the scenario as changed from now on: a request that got too little may get more. */
    public void markChanged() {
        scenarioChanged = true;
    }

    /** Sets the cleaning time after leases from now on; zero at first. */
    public void setCleaningTime(Duration cleaning) {
        claims.cleaning(cleaning);
    }

    /**
     * Adds a resource, or replaces its data.
     *
     * @param disabledReason null while it is in service
     */
    public void putResource(
            ResourceKind kind,
            ResourceId id,
            String name,
            Description description,
            @Nullable String disabledReason) {
        CachedResource resource =
                CachedResource.of(
                        kind,
                        new Allocation(id, name, Map.of()),
                        new CachedResource.Location(description.region(), description.zone()),
                        JSON.valueToTree(description.attributes()),
                        JSON.valueToTree(description.capabilities()),
                        disabledReason == null,
                        resources.version());
        resources.put(resource, disabledReason);
    }

    /**
     * Stores the promises and resources of a lease from its events, as if it had requested them
     * here.
     */
    public void addLease(LeaseId lease, List<RecordedEvent> life) {
        LeaseCalendarProjection projection = LeaseCalendarProjection.of(life);
        projection.promises().forEach((slot, promise) -> claims.addExisting(lease, slot, promise));
        // No query needs the start of a holder.
        Instant since = life.getLast().decidedAt();
        projection
                .holders()
                .forEach(
                        (slot, tenure) ->
                                holders.addExisting(
                                        new Taking(lease, tenure, slot.resource(), since),
                                        projection.isShare(slot)));
    }

    /** Removes the resource. */
    public void removeResource(ResourceId id) {
        resources.retire(id);
    }

    /** Returns whether a resource exists that meets a requirement, in service or not. */
    public boolean meets(ResourceId id, ResourceKind kind, Requirement requirement) {
        return resources
                .find(id)
                .filter(resource -> InventorySnapshot.meets(resource, kind, requirement))
                .isPresent();
    }

    public void deleteClaimsBefore(Instant instant) {
        claims.deleteEndedBefore(instant, Integer.MAX_VALUE);
    }

    @Override
    public <D> D executeAndDecide(
            CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
        Runnable undo = savepoints.setSavepoint();
        Grant grant = execute(request, undo);
        D decision = decide.apply(grant);
        if (!keep.test(decision)) {
            undo.run();
        }
        return decision;
    }

    private Grant execute(CalendarRequest<?> request, Runnable undo) {
        return switch (request) {
            case Nothing() -> new Grant.Done();
            case Hold hold -> hold(hold, undo);
            case TakeUp takeUp -> preferringRecorded(() -> handOverHandler.handOver(takeUp));
            case Adopt adopt -> adoptHandler.adopt(adopt);
            case Reduce reduce -> reduceHandler.reduce(reduce);
            case Replace replace -> preferringRecorded(() -> replaceHandler.replace(replace));
            case ReplaceFailed failed -> preferringRecorded(() -> replaceHandler.replace(failed));
            case Shorten(var lease, var reservations, var end) -> {
                claims.shorten(lease, reservations, end);
                yield new Grant.Done();
            }
            case LetGo(var reservation, var resources) -> {
                holders.release(reservation, resources);
                yield new Grant.Done();
            }
            case GiveUp(var lease, var reservations, var end) -> {
                claims.shorten(lease, reservations, end);
                holders.releaseAll(lease);
                yield new Grant.Done();
            }
        };
    }

    /** Executes a request that prefers the recorded replacements. */
    private Grant preferringRecorded(Supplier<Grant> handler) {
        resources.prefer(expected.replacements());
        try {
            return handler.get();
        } finally {
            resources.prefer(List.of());
        }
    }

    private Grant.OfHold hold(Hold request, Runnable undo) {
        Optional<Grant.Held> granted =
                recordedGrants.grant(
                        request, currentInventory(), expected.granted(), scenarioChanged);
        if (granted.isPresent()) {
            return granted.get();
        }
        undo.run();
        Grant.OfHold grant = holdHandler.hold(withPreferredResources(request));
        if (grant instanceof Grant.HoldRefused) {
            undo.run();
        }
        return grant;
    }

    /** Prefers the recorded resources, as if they had been held already. */
    private Hold withPreferredResources(Hold request) {
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
                                                        recordedAllocations(wanted.reservation())
                                                                .stream()
                                                                .map(Allocation::resource)
                                                                .toList(),
                                                        false))
                        .toList(),
                request.removal(),
                request.repeated());
    }

    private List<Allocation> recordedAllocations(ReservationId reservation) {
        return expected.granted().getOrDefault(reservation, List.of());
    }

    private InventorySnapshot currentInventory() {
        return inventories.ofVersion(resources.version());
    }
}
