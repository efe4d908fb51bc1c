package org.leasehold.command.calendar.stored;

import org.leasehold.calendar.CurrentTenures;
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
import org.leasehold.command.calendar.ClaimRetention;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The calendar in tables, whose exclusion constraint decides conflicts between claims. */
final class StoredCalendar implements Calendar, CurrentTenures, ClaimRetention {

    private static final Logger LOG = LoggerFactory.getLogger(StoredCalendar.class);

    private final Savepoints savepoints;
    private final Claims claims;
    private final Holders holders;
    private final HoldHandler holdHandler;
    private final HandOverHandler handOverHandler;
    private final AdoptHandler adoptHandler;
    private final ReduceHandler reduceHandler;
    private final ReplaceHandler replaceHandler;
    private final CalendarGroupCommit group;

    StoredCalendar(
            Savepoints savepoints,
            Claims claims,
            Holders holders,
            HoldHandler holdHandler,
            HandOverHandler takingUp,
            InventoryCache inventories,
            CalendarGroupCommit group) {
        this.savepoints = savepoints;
        this.claims = claims;
        this.holders = holders;
        this.holdHandler = holdHandler;
        this.handOverHandler = takingUp;
        this.adoptHandler = new AdoptHandler(inventories, claims, holders);
        this.reduceHandler = new ReduceHandler(inventories, claims, holders);
        this.replaceHandler = new ReplaceHandler(inventories, claims, holders);
        this.group = group;
    }

    @Override
    public <D> D executeAndDecide(
            CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("the calendar is settled inside a transaction");
        }
        return answerFromMemory(request)
                .map(grant -> keepInGroup(request, decide.apply(grant), keep))
                .orElseGet(() -> settleFromTables(request, decide, keep));
    }

    /**
     * Returns the answer from memory, which the group executes; empty if the tables must be read.
     */
    private Optional<? extends Grant> answerFromMemory(CalendarRequest<?> request) {
        return switch (request) {
            case Hold hold -> holdHandler.answerFromMemory(hold);
            case TakeUp takeUp -> handOverHandler.answerFromMemory(takeUp);
            case Nothing _,
                    Adopt _,
                    Reduce _,
                    Replace _,
                    ReplaceFailed _,
                    Shorten _,
                    LetGo _,
                    GiveUp _ ->
                    Optional.empty();
        };
    }

    private <D> D keepInGroup(CalendarRequest<?> request, D decision, Predicate<D> keep) {
        if (!keep.test(decision)) {
            group.removePending(reservations(request));
        }
        return decision;
    }

    private static List<ReservationId> reservations(CalendarRequest<?> request) {
        return switch (request) {
            case Hold hold -> hold.reservations();
            case TakeUp takeUp -> HandOverHandler.reservations(takeUp);
            case Nothing _,
                    Adopt _,
                    Reduce _,
                    Replace _,
                    ReplaceFailed _,
                    Shorten _,
                    LetGo _,
                    GiveUp _ ->
                    List.of();
        };
    }

    private <D> D settleFromTables(
            CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
        if (!(request instanceof Nothing)) {
            // No command of a group is granted a resource that a later command of it releases; it
            // could be, while memory did not know of the resource.
            group.executePending();
        }
        Runnable undo = prepareUndo(request);
        try {
            Grant grant = execute(request, undo);
            if (grant instanceof Grant.HoldRefused && !group.canRefuse()) {
                throw new DecideAloneException();
            }
            D decision = decide.apply(grant);
            // The execution has undone the changes of a refusal.
            if (!(grant instanceof Grant.HoldRefused || keep.test(decision))) {
                undo.run();
            }
            return decision;
        } catch (DecideAloneException e) {
            // The group continues without the command.
            undo.run();
            throw e;
        }
    }

    private Grant execute(CalendarRequest<?> request, Runnable undo) {
        return switch (request) {
            case Nothing() -> new Grant.Done();
            case Hold hold -> {
                Grant.OfHold grant = holdHandler.hold(hold);
                if (grant instanceof Grant.HoldRefused && !hold.isFresh()) {
                    undo.run();
                }
                yield grant;
            }
            case TakeUp takeUp -> handOverHandler.handOver(takeUp);
            case Adopt adopt -> adoptHandler.adopt(adopt);
            case Reduce reduce -> reduce(reduce);
            case Replace replace -> replaceHandler.replace(replace);
            case ReplaceFailed failed -> replaceHandler.replace(failed);
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

    private Grant reduce(Reduce request) {
        Grant grant = reduceHandler.reduce(request);
        if (grant instanceof Grant.NotReduced) {
            LOG.atWarn()
                    .addKeyValue("lease_id", request.lease())
                    .addKeyValue("reservation_id", request.reservation())
                    .log("A reservation keeps its claims: they do not meet its smaller request");
        }
        return grant;
    }

    /**
     * Returns the undoing of a request. A savepoint costs every command a round trip. So a hold
     * without earlier claims, by far the most frequent request, is undone by a deletion. Not so a
     * repeated one: the deletion would include the claims that another node was granted.
     */
    private Runnable prepareUndo(CalendarRequest<?> request) {
        return switch (request) {
            case Nothing() -> () -> {};
            case Hold hold when hold.isFresh() && !hold.repeated() -> {
                List<ReservationId> reservations = hold.reservations();
                yield () -> claims.deleteAll(reservations);
            }
            case Hold _ -> savepoints.setSavepoint();
            case TakeUp _,
                    Adopt _,
                    Reduce _,
                    Replace _,
                    ReplaceFailed _,
                    Shorten _,
                    LetGo _,
                    GiveUp _ ->
                    savepoints.setSavepoint();
        };
    }

    @Override
    public Map<ReservationId, LeaseId> holders() {
        Map<ReservationId, LeaseId> all = new HashMap<>();
        holders.findAll().forEach(each -> all.put(each.tenure().reservation(), each.lease()));
        return all;
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId holder) {
        return holders.leaseOf(holder);
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return holders.isCurrent(tenure);
    }

    @Override
    public int deleteClaimsBefore(Instant instant, int limit) {
        return claims.deleteEndedBefore(instant, limit);
    }
}
