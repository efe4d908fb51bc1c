package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.server.ServerEndAction;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.server.ServerStartAction;
import org.leasehold.saga.LeaseRequestResult;
import org.leasehold.saga.NameBasedId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The commands for default leases. Such a lease is an ordinary one of the server's project and
 * user: they prolong, change and delete it.
 */
final class DefaultLeaseRequester {

    /** The reason in the events of an end. */
    static final String SERVER_DELETED = "The server was deleted";

    /** The reason for another attempt while other commands decide. */
    private static final String BUSY = "Other requests are decided at the same time";

    /** A position after all events: whether a lease exists is read from its events. */
    private static final long NEWEST = Long.MAX_VALUE;

    private final Leases leases;
    private final Commands commands;
    private final DefaultLeaseSettings settings;
    private final Clock clock;

    DefaultLeaseRequester(
            Leases leases, Commands commands, DefaultLeaseSettings settings, Clock clock) {
        this.leases = leases;
        this.commands = commands;
        this.settings = settings;
        this.clock = clock;
    }

    /** The result of a request. */
    sealed interface Result {

        /** The server has the lease. */
        record Granted() implements Result {}

        /**
         * The server does not get the lease now.
         *
         * @param reason a sentence for operators
         * @param isStored whether the event log has the refused lease: its id cannot be used again
         */
        record Refused(String reason, boolean isStored) implements Result {}

        /**
         * The result is unknown at the moment: the same request is sent again.
         *
         * @param reason a sentence for operators
         */
        record Unknown(String reason) implements Result {}
    }

    /**
     * Requests a default lease; a repetition with the same id creates nothing else.
     *
     * @param newObstacle checks just before the command whether something prevents the lease now
     */
    Result request(
            LeasableObject server,
            LeaseId lease,
            ResourcePlugin plugin,
            Supplier<Optional<String>> newObstacle) {
        String request = "req-" + lease;
        Map<String, @Nullable Object> asked = new LinkedHashMap<>();
        asked.put(ServerPlanning.SERVER_ID, server.id());
        // The server stays as it is: its owner did not request this lease.
        asked.put(ServerPlanning.ON_START, ServerStartAction.LEAVE.word());
        asked.put(ServerPlanning.ON_END, ServerEndAction.SHELVE.word());
        Completion completion =
                plugin.requestCompleter()
                        .map(completer -> complete(completer, asked, server, request))
                        .orElseGet(() -> new Completion.Complete(asked));
        return switch (completion) {
            case Completion.Complete(var complete) ->
                    newObstacle
                            .get()
                            .<Result>map(reason -> new Result.Refused(reason, false))
                            .orElseGet(
                                    () ->
                                            create(
                                                    server,
                                                    lease,
                                                    new ReservationWish(
                                                            deriveReservation(lease),
                                                            plugin.kind(),
                                                            complete),
                                                    request));
            case Completion.NotFound(_, String message) -> new Result.Refused(message, false);
            case Completion.Refused(_, String message) -> new Result.Refused(message, false);
            case Completion.Unknown(var fault) -> new Result.Unknown(fault.message());
        };
    }

    private static Completion complete(
            RequestCompleter completer,
            Map<String, @Nullable Object> asked,
            LeasableObject server,
            String request) {
        Asker asker = new Asker(server.project(), null, request);
        return CurrentRequest.during(request, () -> completer.complete(asked, Map.of(), asker));
    }

    private Result create(
            LeasableObject server, LeaseId lease, ReservationWish wish, String request) {
        Instant now = clock.instant();
        Instant end = now.plus(settings.period());
        CreateLease command =
                new CreateLease(
                        lease,
                        server.project(),
                        server.user(),
                        "default-" + server.id(),
                        now,
                        end,
                        warning(now, end),
                        List.of(wish),
                        null,
                        null);
        CommandContext context =
                CommandContext.ofEngine(now, request, null)
                        .withReason("The server %s had no lease".formatted(server.id()));
        try {
            return result(commands.send(command, context), lease);
        } catch (ContentionException busy) {
            return new Result.Unknown(BUSY);
        }
    }

    private @Nullable Instant warning(Instant start, Instant end) {
        Duration notice = settings.effectiveNotice();
        if (notice.isZero()) {
            return null;
        }
        Instant warning = end.minus(notice);
        return warning.isBefore(start) ? start : warning;
    }

    private Result result(Outcome<LeaseRejection> outcome, LeaseId lease) {
        if (outcome instanceof Outcome.Rejected<LeaseRejection>(LeaseExists _)) {
            // An earlier node died before it stored the outcome.
            return find(lease).isPresent()
                    ? new Result.Granted()
                    : new Result.Refused("An earlier request was refused", true);
        }
        return switch (LeaseRequestResult.of(outcome)) {
            case LeaseRequestResult.Granted _ -> new Result.Granted();
            case LeaseRequestResult.Denied(String problem) ->
                    new Result.Refused(problem, outcome instanceof Outcome.Refused);
            case LeaseRequestResult.Later _ -> new Result.Unknown(BUSY);
        };
    }

    /**
     * Returns whether the lease does not exist, has ended, or has lost its server. A removed server
     * still counts while its plug-in takes it back.
     */
    boolean isOver(LeaseId lease) {
        return find(lease)
                .filter(found -> found.status() != LeaseStatus.ENDED)
                .filter(DefaultLeaseRequester::hasServer)
                .isEmpty();
    }

    private static boolean hasServer(LeaseView lease) {
        ReservationId server = deriveReservation(lease.id());
        return lease.reservations().stream()
                .anyMatch(reservation -> reservation.id().equals(server));
    }

    /** Returns the project of a lease; empty if the lease does not exist. */
    Optional<ProjectId> projectOf(LeaseId lease) {
        return find(lease).map(LeaseView::projectId);
    }

    /**
     * Ends the default lease of a deleted server, unless its owner has added other reservations.
     *
     * @return false if the lease has changed meanwhile; then another attempt is due
     */
    boolean endAfterDeletion(LeaseId lease) {
        Optional<LeaseView> found =
                find(lease)
                        .filter(each -> each.status() != LeaseStatus.ENDED)
                        .filter(DefaultLeaseRequester::hasOnlyServer);
        if (found.isEmpty()) {
            return true;
        }
        CommandContext context =
                CommandContext.ofEngine(clock.instant(), "req-" + UUID.randomUUID(), null)
                        .withReason(SERVER_DELETED)
                        .withExpectedVersions(Set.of(found.get().version()));
        EndLease end = new EndLease(lease, EndCause.REQUESTED);
        return commands.send(end, context) instanceof Outcome.Accepted;
    }

    /** Returns whether the lease has the server, and no reservation that its owner has added. */
    private static boolean hasOnlyServer(LeaseView lease) {
        return lease.reservations().stream()
                .filter(reservation -> !reservation.status().isRemoved())
                .allMatch(reservation -> reservation.id().equals(deriveReservation(lease.id())));
    }

    private Optional<LeaseView> find(LeaseId lease) {
        return leases.find(lease, null, NEWEST);
    }

    private static ReservationId deriveReservation(LeaseId lease) {
        return new ReservationId(NameBasedId.of(lease + "/reservation"));
    }
}
