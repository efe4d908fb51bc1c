package org.leasehold.gateway.api.lease;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Commands.Rehearsal;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.lease.LeaseRequestBodies.ChangedReservation;
import org.leasehold.gateway.api.lease.LeaseRequestBodies.LeaseChange;
import org.leasehold.gateway.api.lease.LeaseRequestBodies.LeaseRequest;
import org.leasehold.gateway.api.lease.LeaseRequestBodies.ReservationRequest;
import org.leasehold.gateway.api.lease.LeaseResponses.DryRun;
import org.leasehold.gateway.api.lease.LeaseResponses.Grant;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.command.LeaseSubmission;
import org.leasehold.gateway.request.header.EntityTags;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.CloudCallers;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.wire.lease.LeaseDocuments.Lease;
import org.leasehold.wire.lease.PluginRendering;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Routes for commands of projects about leases. */
@RestController
@Tag(name = "leases")
class LeaseCommandRoutes {

    private final Commands commands;
    private final LeaseSubmission submission;
    private final Leases leases;
    private final CommandContextFactory contexts;
    private final PluginFacade kinds;
    private final PluginRendering plugins;

    LeaseCommandRoutes(
            Commands commands,
            LeaseSubmission creation,
            Leases leases,
            CommandContextFactory contexts,
            PluginFacade kinds,
            PluginRendering plugins) {
        this.commands = commands;
        this.submission = creation;
        this.leases = leases;
        this.contexts = contexts;
        this.kinds = kinds;
        this.plugins = plugins;
    }

    @Operation(
            operationId = "createLease",
            summary = "Create a lease",
            description =
                    "Reserves resources for a window, now or later. The"
                            + " engine grants all reservations or none. A lease that starts"
                            + " now is to_be_started in the response. If the calendar cannot"
                            + " hold the lease, it is refused, or with if_unavailable: retry"
                            + " it is retrying until next_attempt_at. If you repeat"
                            + " the request with its Idempotency-Key, you get the"
                            + " first response.")
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @PostMapping("/api/leases")
    ResponseEntity<Lease> create(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody LeaseRequest wish,
            HttpServletRequest request) {
        CommandContext context = contexts.of(caller, request);
        CreateLease command =
                toCommand(
                        contexts.leaseIdFor(context),
                        wish,
                        caller,
                        CloudCallers.of(caller, request),
                        context);
        long position =
                LeaseProblems.requireAccepted(
                        submission.create(command, context, request),
                        command.leaseId(),
                        RequestedKinds.of(command));
        LeaseView lease = findWritten(command.leaseId(), caller.project());
        return ResponseEntity.created(URI.create("/api/leases/" + lease.id()))
                .headers(EventLogHeaders.at(position))
                .eTag(EntityTags.of(lease))
                .body(Lease.of(lease, plugins, context.now()));
    }

    @Operation(
            operationId = "rehearseLease",
            summary = "Try a lease without creating it",
            description =
                    "Returns what would happen to the request now. It"
                            + " holds and stores nothing.")
    @PostMapping("/api/leases/dry-run")
    DryRun rehearse(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody LeaseRequest wish,
            HttpServletRequest request) {
        CommandContext context = contexts.of(caller, request);
        CreateLease command =
                toCommand(
                        new LeaseId(UUID.randomUUID()),
                        wish,
                        caller,
                        CloudCallers.of(caller, request),
                        context);
        Rehearsal rehearsal = commands.rehearseFirstAttempt(command, context);
        return switch (rehearsal.outcome()) {
            case Outcome.Accepted<LeaseRejection> accepted ->
                    new DryRun(true, grants(command, rehearsal), List.of());
            case Outcome.Refused<LeaseRejection> refused ->
                    new DryRun(
                            false,
                            List.of(),
                            RequestedKinds.of(command).shortfalls(refused.shortages()));
            case Outcome.Rejected<LeaseRejection> rejected ->
                    throw LeaseProblems.toException(rejected.rejection());
        };
    }

    private static List<Grant> grants(CreateLease command, Rehearsal rehearsal) {
        return rehearsal.events().stream()
                .filter(ReservationGranted.class::isInstance)
                .map(ReservationGranted.class::cast)
                .map(granted -> Grant.of(kindOf(granted, command), granted))
                .toList();
    }

    private static String kindOf(ReservationGranted granted, CreateLease command) {
        return command.reservations().stream()
                .filter(wish -> wish.id().equals(granted.reservationId()))
                .map(ReservationWish::kind)
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Operation(
            operationId = "changeLease",
            summary = "Change a lease",
            description =
                    "Renames, prolongs, shortens, moves, grows or shrinks"
                            + " it. The whole change applies, or nothing of it; a"
                            + " refused change leaves the lease as it was."
                            + " Reservations that you add to an active lease start at"
                            + " once. The room of those that you remove is free at once"
                            + " before their start, and later after the cleaning time."
                            + " If you repeat a request that adds reservations,"
                            + " it adds them twice: give an Idempotency-Key.")
    @PatchMapping("/api/leases/{id}")
    ResponseEntity<Lease> change(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String match,
            @Valid @RequestBody LeaseChange change,
            HttpServletRequest request) {
        LeaseView lease = find(new LeaseId(id), caller.writeScope());
        if (change.isEmpty()) {
            throw new ProblemException(
                    Problem.of(400, "bad-request", "The request changes nothing."));
        }
        change.findChangedRemoval()
                .ifPresent(
                        index -> {
                            throw new ProblemException(
                                    Problem.ofField(
                                            "remove[%s]".formatted(index),
                                            "is changed in the same request"));
                        });
        Asker asker = CloudCallers.of(caller, request, lease.projectId());
        ChangeLease command = toCommand(change, lease, caller, asker);
        long position =
                LeaseProblems.requireAccepted(
                        submission.change(
                                command,
                                lease,
                                caller,
                                context(caller, request, match, lease),
                                request),
                        lease.id(),
                        RequestedKinds.of(command, lease));
        return leaseResponse(findWritten(lease.id(), caller.writeScope()), position);
    }

    @Operation(
            operationId = "endLease",
            summary = "End a lease early",
            description = "Its resources are free in the calendar at once.")
    @PostMapping("/api/leases/{id}/end")
    ResponseEntity<Lease> end(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String match,
            HttpServletRequest request) {
        LeaseView lease = find(new LeaseId(id), caller.writeScope());
        long position =
                send(
                        new EndLease(lease.id(), EndCause.REQUESTED),
                        context(caller, request, match, lease));
        return leaseResponse(findWritten(lease.id(), caller.writeScope()), position);
    }

    @Operation(
            operationId = "deleteLease",
            summary = "Delete a lease",
            description =
                    "Ends the lease in any state and removes it from"
                            + " lists. Its status is deleting until the cloud is"
                            + " clean.")
    @ApiResponse(responseCode = "204")
    @DeleteMapping("/api/leases/{id}")
    ResponseEntity<Void> delete(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String match,
            HttpServletRequest request) {
        LeaseView lease = find(new LeaseId(id), caller.writeScope());
        long position = send(new DeleteLease(lease.id()), context(caller, request, match, lease));
        return ResponseEntity.noContent().headers(EventLogHeaders.at(position)).build();
    }

    private CreateLease toCommand(
            LeaseId id, LeaseRequest wish, Caller caller, Asker asker, CommandContext context) {
        return wish.reserving(
                        ReservationRequest.complete(
                                kinds, "reservations", wish.reservations(), caller, asker))
                .command(id, caller, context.now());
    }

    private ChangeLease toCommand(LeaseChange change, LeaseView lease, Caller caller, Asker asker) {
        List<ChangedReservation> changes = new ArrayList<>();
        for (int i = 0; i < change.givenReservations().size(); i++) {
            ChangedReservation asked = change.givenReservations().get(i);
            String at = "reservations[%s].".formatted(i);
            ReservationView present =
                    lease.reservations().stream()
                            .filter(r -> r.id().value().equals(asked.id()))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new ProblemException(
                                                    Problem.ofField(
                                                            at + "id",
                                                            "is not of a reservation of the"
                                                                    + " lease")));
            changes.add(
                    new ChangedReservation(
                            asked.id(),
                            kinds.completeChanges(
                                    at + "parameters.",
                                    present,
                                    asked.parameters(),
                                    caller,
                                    asker)));
        }
        return change.changing(
                        changes,
                        ReservationRequest.complete(
                                kinds, "further", change.givenFurther(), caller, asker))
                .command(lease.id());
    }

    private CommandContext context(
            Caller caller, HttpServletRequest request, @Nullable String match, LeaseView lease) {
        return contexts.of(caller, request)
                .withExpectedVersions(EntityTags.acceptedVersions(match, request, lease));
    }

    private long send(LeaseCommand command, CommandContext context) {
        return LeaseProblems.requireAccepted(
                commands.send(command, context), command.leaseId(), RequestedKinds.NONE);
    }

    private LeaseView find(LeaseId id, @Nullable ProjectId scope) {
        return LeaseProblems.requireFound(leases.find(id, scope));
    }

    private LeaseView findWritten(LeaseId id, @Nullable ProjectId scope) {
        return LeaseProblems.requireFound(leases.findWritten(id, scope));
    }

    private ResponseEntity<Lease> leaseResponse(LeaseView lease, long position) {
        return ResponseEntity.ok()
                .headers(EventLogHeaders.at(position))
                .eTag(EntityTags.of(lease))
                .body(Lease.of(lease, plugins));
    }
}
