package org.leasehold.saga.leasetag;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.LeaseRequestResult;
import org.leasehold.saga.NameBasedId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The processing of a lease tag to a lease, or a part of one. The lease is in the name of the
 * project and the creator of the tagged object. The ids derive from the lease tag, so that a
 * repetition creates nothing else.
 */
final class LeaseTagHandler {

    private static final Set<LeaseStatus> JOINABLE_STATUSES =
            Set.of(LeaseStatus.PENDING, LeaseStatus.DELAYED, LeaseStatus.ACTIVE);

    /** Those that have, or will have, their granted resources. */
    private static final Set<LeaseStatus> LIVE_STATUSES =
            EnumSet.complementOf(
                    EnumSet.of(LeaseStatus.RETRYING, LeaseStatus.ENDED, LeaseStatus.DELETING));

    private static final int PAGE_SIZE = 1_000;

    private final Leases leases;
    private final Commands commands;
    private final Clock clock;

    LeaseTagHandler(Leases leases, Commands commands, Clock clock) {
        this.leases = leases;
        this.commands = commands;
        this.clock = clock;
    }

    /**
     * Returns the answer to a lease tag.
     *
     * @param id identifies the lease tag
     */
    LeaseRequestResult process(UUID id, LeaseTaggedObject object, ResourcePlugin plugin) {
        Instant now = clock.instant();
        try {
            return switch (ParsedLeaseTag.of(object, now)) {
                case ParsedLeaseTag.Unclear(String problem) ->
                        new LeaseRequestResult.Denied(problem);
                case ParsedLeaseTag.OwnLease own -> createLease(id, object, own, plugin);
                case ParsedLeaseTag.Joining(LeaseId lease) -> join(id, object, lease, plugin);
            };
        } catch (ContentionException busy) {
            return new LeaseRequestResult.Later();
        }
    }

    private LeaseRequestResult createLease(
            UUID id, LeaseTaggedObject object, ParsedLeaseTag.OwnLease own, ResourcePlugin plugin) {
        Optional<LeaseView> other =
                findOtherLease(new LeaseId(id), own.start(), own.end(), object, plugin);
        if (other.isPresent()) {
            return deniedBecauseOf(other.get());
        }
        ReservationId reservation = new ReservationId(NameBasedId.of(id + "/reservation"));
        return switch (createRequest(id, reservation, object, own.parameters(), plugin)) {
            case Wish.None(LeaseRequestResult answer) -> answer;
            case Wish.Complete(ReservationWish wish) ->
                    send(
                            new CreateLease(
                                    new LeaseId(id),
                                    object.project(),
                                    object.user(),
                                    own.name(),
                                    own.start(),
                                    own.end(),
                                    own.beforeEnd(),
                                    List.of(wish),
                                    null,
                                    null),
                            id,
                            object);
        };
    }

    /** Returns another lease that has the object in a window: two would take it from each other. */
    private Optional<LeaseView> findOtherLease(
            LeaseId own,
            Instant start,
            Instant end,
            LeaseTaggedObject object,
            ResourcePlugin plugin) {
        ListLeases question =
                new ListLeases(
                        object.project(),
                        LIVE_STATUSES,
                        null,
                        SortDirection.ASCENDING,
                        null,
                        PAGE_SIZE);
        Page<LeaseView> page = leases.list(question);
        while (true) {
            Optional<LeaseView> found =
                    page.items().stream()
                            .filter(lease -> !lease.id().equals(own))
                            .filter(lease -> lease.period().start().isBefore(end))
                            .filter(lease -> start.isBefore(lease.period().end()))
                            .filter(lease -> containsObject(lease, object, plugin))
                            .findFirst();
            String next = page.next();
            if (found.isPresent() || next == null) {
                return found;
            }
            page = leases.list(question.after(next));
        }
    }

    private LeaseRequestResult join(
            UUID id, LeaseTaggedObject object, LeaseId lease, ResourcePlugin plugin) {
        Optional<LeaseView> found = leases.find(lease, object.project());
        if (found.isEmpty()) {
            return LeaseRequestResult.leaseNotFound(lease.toString());
        }
        if (containsObject(found.get(), object, plugin)) {
            return new LeaseRequestResult.Granted();
        }
        if (isLeaving(found.get(), object, plugin)) {
            return new LeaseRequestResult.Later();
        }
        if (found.get().status() == LeaseStatus.STARTING) {
            return new LeaseRequestResult.Later();
        }
        if (!JOINABLE_STATUSES.contains(found.get().status())) {
            return new LeaseRequestResult.Denied("The lease is " + found.get().status());
        }
        LeasePeriod period = found.get().period();
        Optional<LeaseView> other =
                findOtherLease(lease, period.start(), period.end(), object, plugin);
        if (other.isPresent()) {
            return deniedBecauseOf(other.get());
        }
        return switch (createRequest(id, new ReservationId(id), object, Map.of(), plugin)) {
            case Wish.None(LeaseRequestResult answer) -> answer;
            case Wish.Complete(ReservationWish wish) -> {
                LeaseRequestResult answer =
                        send(
                                new ChangeLease(
                                        lease, null, null, null, null, List.of(), List.of(wish)),
                                id,
                                object);
                yield answer instanceof LeaseRequestResult.Granted && wasRemoved(lease, wish.id())
                        ? new LeaseRequestResult.Denied(
                                "It was removed from the lease: write something else to add it"
                                        + " again")
                        : answer;
            }
        };
    }

    /** Returns whether the lease does not take the reservation back, because it had it before. */
    private boolean wasRemoved(LeaseId lease, ReservationId reservation) {
        return leases.find(lease, null, OpenLeaseTags.NEWEST)
                .filter(
                        found ->
                                found.reservations().stream()
                                        .noneMatch(each -> each.id().equals(reservation)))
                .isPresent();
    }

    private static LeaseRequestResult deniedBecauseOf(LeaseView other) {
        return new LeaseRequestResult.Denied(
                "It is in lease %s until %s: change that one"
                        .formatted(other.id(), other.period().end()));
    }

    /** Finds the object in a lease: its second reservation would wait for the first one's end. */
    private static boolean containsObject(
            LeaseView lease, LeaseTaggedObject object, ResourcePlugin plugin) {
        return reservationsOf(lease, object, plugin)
                .anyMatch(reservation -> !reservation.status().isRemoved());
    }

    /** Returns whether the object's reservation was removed, and the cloud still has it. */
    private static boolean isLeaving(
            LeaseView lease, LeaseTaggedObject object, ResourcePlugin plugin) {
        return reservationsOf(lease, object, plugin)
                .anyMatch(reservation -> reservation.status().isRemoved());
    }

    private static Stream<ReservationView> reservationsOf(
            LeaseView lease, LeaseTaggedObject object, ResourcePlugin plugin) {
        return lease.reservations().stream()
                .filter(reservation -> reservation.kind().equals(plugin.kind()))
                .filter(
                        reservation ->
                                reservation
                                        .parameters()
                                        .entrySet()
                                        .containsAll(object.parameters().entrySet()));
    }

    /** Makes the reservation's request, as a request by its user would be. */
    private static Wish createRequest(
            UUID id,
            ReservationId reservation,
            LeaseTaggedObject object,
            Map<String, String> said,
            ResourcePlugin plugin) {
        Map<String, @Nullable Object> asked = new LinkedHashMap<>(said);
        Set<String> added =
                plugin.requestCompleter().map(RequestCompleter::addedParameters).orElse(Set.of());
        Optional<String> unknown =
                said.keySet().stream()
                        .filter(
                                name ->
                                        added.contains(name)
                                                || object.parameters().containsKey(name))
                        .findFirst();
        if (unknown.isPresent()) {
            return denied(unknown.get() + " is unknown");
        }
        asked.putAll(object.parameters());
        Asker asker = new Asker(object.project(), null, requestId(id));
        Completion completion =
                plugin.requestCompleter()
                        .map(completing -> complete(completing, asked, asker))
                        .orElseGet(() -> new Completion.Complete(asked));
        return switch (completion) {
            case Completion.Complete(var complete) ->
                    checkParameters(
                            new ReservationWish(reservation, plugin.kind(), complete),
                            said,
                            plugin);
            case Completion.NotFound(_, String message) -> denied(message);
            case Completion.Refused(_, String message) -> denied(message);
            case Completion.Unknown _ -> new Wish.None(new LeaseRequestResult.Later());
        };
    }

    private static Completion complete(
            RequestCompleter completing, Map<String, @Nullable Object> asked, Asker asker) {
        return CurrentRequest.during(
                asker.request(), () -> completing.complete(asked, Map.of(), asker));
    }

    /** Returns one id for all attempts: a lease tag is sent until it is answered. */
    private static String requestId(UUID id) {
        return "req-" + id;
    }

    /** Rejects unknown parameters: plug-ins complete those they know; the rest is misspelt. */
    private static Wish checkParameters(
            ReservationWish wish, Map<String, String> said, ResourcePlugin plugin) {
        return switch (plugin.planning().plan(wish.parameters())) {
            case Plan.Invalid(String field, String message) -> denied(field + ": " + message);
            case Plan.Planned(var normal, _) ->
                    said.keySet().stream()
                            .filter(name -> !normal.containsKey(name))
                            .findFirst()
                            .<Wish>map(name -> denied(name + " is unknown"))
                            .orElseGet(() -> new Wish.Complete(wish));
        };
    }

    private static Wish denied(String problem) {
        return new Wish.None(new LeaseRequestResult.Denied(problem));
    }

    private sealed interface Wish {

        record Complete(ReservationWish wish) implements Wish {}

        record None(LeaseRequestResult answer) implements Wish {}
    }

    private LeaseRequestResult send(LeaseCommand command, UUID id, LeaseTaggedObject object) {
        CommandContext context =
                new CommandContext(
                                clock.instant(),
                                requestId(id),
                                object.user().value(),
                                object.project().value(),
                                List.of(),
                                "petition",
                                null)
                        .withReason("It is written on " + object.thing());
        Outcome<LeaseRejection> outcome = commands.send(command, context);
        return outcome instanceof Outcome.Rejected<LeaseRejection>(LeaseExists exists)
                        && leases.find(exists.leaseId(), object.project()).isEmpty()
                ? new LeaseRequestResult.Denied("This was refused or is over: write something else")
                : LeaseRequestResult.of(outcome);
    }
}
