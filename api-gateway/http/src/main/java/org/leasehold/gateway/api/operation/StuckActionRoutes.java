package org.leasehold.gateway.api.operation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.TaskRetries;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.lease.LeaseProblems;
import org.leasehold.gateway.api.lease.RequestedKinds;
import org.leasehold.gateway.api.resource.ResourceResponses.StuckActions;
import org.leasehold.gateway.api.resource.ResourceResponses.StuckStep;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.UUID;

/** Routes for operators about stuck actions. */
@RestController
@Tag(name = "operations")
class StuckActionRoutes {

    private final Commands commands;
    private final TaskRetries retries;
    private final EventLogPositions positions;
    private final Leases leases;
    private final StuckActionQuery stuckActions;
    private final CommandContextFactory contexts;

    StuckActionRoutes(
            Commands commands,
            TaskRetries retries,
            EventLogPositions positions,
            Leases leases,
            StuckActionQuery stuck,
            CommandContextFactory contexts) {
        this.commands = commands;
        this.retries = retries;
        this.positions = positions;
        this.leases = leases;
        this.stuckActions = stuck;
        this.contexts = contexts;
    }

    @Operation(
            operationId = "listStuck",
            summary = "List stuck actions and their reasons",
            description =
                    "Actions that fail or wait, oldest first, with the"
                            + " last fault and the time of the next attempt. The Link"
                            + " header with rel=next leads to the next page.")
    @GetMapping("/api/operations/stuck")
    ResponseEntity<StuckActions> list(
            @NotNull @Valid PageQuery paging, HttpServletRequest request) {
        Page<StuckStep> page =
                stuckActions.actions(paging.marker(), paging.limit()).map(StuckStep::of);
        return NextPageLink.response(request, page, StuckActions::new);
    }

    @Operation(
            operationId = "retryLease",
            summary = "Retry the failed action of a lease",
            description =
                    "If the action still waits for its next attempt, that"
                            + " attempt starts at once, and the response is 202.")
    @ApiResponse(responseCode = "202")
    @ApiResponse(responseCode = "204")
    @PostMapping("/api/operations/leases/{id}/retry")
    ResponseEntity<Void> retry(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            HttpServletRequest request) {
        LeaseId lease = find(id).id();
        CommandContext context = contexts.of(caller, request);
        boolean hastened = retries.retry(lease, context);
        // The waiting action is of one reservation; the action of another may have failed for good.
        Outcome<LeaseRejection> outcome = commands.send(new RetryLease(lease), context);
        return hastened && outcome instanceof Outcome.Rejected<LeaseRejection>
                ? ResponseEntity.accepted().headers(EventLogHeaders.at(positions.last())).build()
                : acceptedResponse(outcome, lease);
    }

    @Operation(
            operationId = "forceEnd",
            summary = "Force the end of a lease",
            description =
                    "Ends the lease although the engine could not clean"
                            + " the cloud. Objects may remain there.")
    @ApiResponse(responseCode = "204")
    @PostMapping("/api/operations/leases/{id}/force-end")
    ResponseEntity<Void> forceEnd(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            HttpServletRequest request) {
        return send(new ForceEnd(find(id).id()), contexts.of(caller, request));
    }

    private ResponseEntity<Void> send(LeaseCommand command, CommandContext context) {
        return acceptedResponse(commands.send(command, context), command.leaseId());
    }

    private static ResponseEntity<Void> acceptedResponse(
            Outcome<LeaseRejection> outcome, LeaseId lease) {
        long position = LeaseProblems.requireAccepted(outcome, lease, RequestedKinds.NONE);
        return ResponseEntity.noContent().headers(EventLogHeaders.at(position)).build();
    }

    private LeaseView find(UUID id) {
        return LeaseProblems.requireFound(leases.find(new LeaseId(id), null));
    }
}
