package org.leasehold.gateway.api.usage;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Commands.Rehearsal;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.api.lease.LeaseProblems;
import org.leasehold.gateway.api.lease.LeaseRequestBodies.LeaseRequest;
import org.leasehold.gateway.api.lease.LeaseRequestBodies.ReservationRequest;
import org.leasehold.gateway.api.lease.RequestedKinds;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.api.usage.ChargeResponses.ChargeLine;
import org.leasehold.gateway.api.usage.ChargeResponses.Quote;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.CloudCallers;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Routes for quotes of charges. */
@RestController
@Tag(name = "charges")
class QuoteRoutes {

    private static final Duration MAX_PERIOD = Duration.ofDays(3660);
    private static final long MAX_LINES = 10_000;

    private final Commands commands;
    private final CommandContextFactory contexts;
    private final PluginFacade kinds;
    private final Charges charges;
    private final PropertyRedaction propertyRedaction;

    QuoteRoutes(
            Commands commands,
            CommandContextFactory contexts,
            PluginFacade kinds,
            Charges charges,
            PropertyRedaction hidden) {
        this.commands = commands;
        this.contexts = contexts;
        this.kinds = kinds;
        this.charges = charges;
        this.propertyRedaction = hidden;
    }

    @Operation(
            operationId = "quoteLease",
            summary = "Quote the price of a lease",
            description =
                    "An estimate: for the resources that the lease would"
                            + " get now, started in time and used to its end, by the"
                            + " price plans known now. Each line names its plan. The"
                            + " quote holds and stores nothing.")
    @PostMapping("/api/quote")
    Quote quote(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody LeaseRequest wish,
            HttpServletRequest request) {
        CommandContext context = contexts.of(caller, request);
        CreateLease command =
                wish.reserving(
                                ReservationRequest.complete(
                                        kinds,
                                        "reservations",
                                        wish.reservations(),
                                        caller,
                                        CloudCallers.of(caller, request)))
                        .command(new LeaseId(UUID.randomUUID()), caller, context.now());
        Rehearsal rehearsal = commands.rehearseFirstAttempt(command, context);
        return switch (rehearsal.outcome()) {
            case Outcome.Accepted<LeaseRejection> accepted -> {
                requireMaxPeriod(command);
                requireLineLimit(command, rehearsal);
                yield quote(rehearsal, context, caller);
            }
            case Outcome.Refused<LeaseRejection> refused ->
                    new Quote(
                            false,
                            List.of(),
                            List.of(),
                            RequestedKinds.of(command).shortfalls(refused.shortages()));
            case Outcome.Rejected<LeaseRejection> rejected ->
                    throw LeaseProblems.toException(rejected.rejection());
        };
    }

    /** Limits the window, as each month of each resource is a line of the response. */
    private static void requireMaxPeriod(CreateLease command) {
        if (Duration.between(command.start(), command.end()).compareTo(MAX_PERIOD) > 0) {
            throw new ProblemException(
                    Problem.ofField(
                            "end",
                            "must not be more than %s days after the start to be quoted"
                                    .formatted(MAX_PERIOD.toDays())));
        }
    }

    private static void requireLineLimit(CreateLease command, Rehearsal rehearsal) {
        long months = Duration.between(command.start(), command.end()).toDays() / 28 + 2;
        long allocations =
                rehearsal.events().stream()
                        .filter(ReservationGranted.class::isInstance)
                        .mapToLong(event -> ((ReservationGranted) event).allocations().size())
                        .sum();
        if (allocations * months > MAX_LINES) {
            throw new ProblemException(
                    Problem.ofField(
                            "end",
                            ("must be earlier, or less be asked for: %s resources for %s"
                                            + " months are too many lines")
                                    .formatted(allocations, months)));
        }
    }

    private Quote quote(Rehearsal rehearsal, CommandContext context, Caller caller) {
        ChargeRoutes.requirePricePlans(charges);
        List<Charge> lines = charges.quote(rehearsal.events(), context.now());
        return new Quote(
                true,
                lines.stream()
                        .map(propertyRedaction.forCharges(caller))
                        .map(ChargeLine::of)
                        .toList(),
                ChargeResponses.totals(lines),
                List.of());
    }
}
