package org.leasehold.gateway.api;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Commands.Rehearsal;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.api.ChargeAnswers.ChargeLine;
import org.leasehold.gateway.api.ChargeAnswers.Quote;
import org.leasehold.gateway.api.LeaseForms.NewLease;
import org.leasehold.gateway.security.Askers;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.CommandContexts;
import org.leasehold.gateway.security.HiddenProperties;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.query.Charge;
import org.leasehold.query.Charges;
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

    private static final Duration LONGEST = Duration.ofDays(3660);
    private static final long MOST_LINES = 10_000;

    private final Commands commands;
    private final CommandContexts contexts;
    private final Kinds kinds;
    private final Charges charges;
    private final HiddenProperties hidden;

    QuoteRoutes(
            Commands commands,
            CommandContexts contexts,
            Kinds kinds,
            Charges charges,
            HiddenProperties hidden) {
        this.commands = commands;
        this.contexts = contexts;
        this.kinds = kinds;
        this.charges = charges;
        this.hidden = hidden;
    }

    @Operation(
            operationId = "quoteLease",
            summary = "Says what a lease would cost if it were asked for now",
            description =
                    "An estimate: with the resources that it would be given now, begun in time and"
                            + " had to its end, by the price plans that are known now; each line"
                            + " names its plan. Nothing is held, and nothing is kept.")
    @PostMapping("/api/quote")
    Quote quote(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody NewLease wish,
            HttpServletRequest request) {
        CommandContext context = contexts.of(caller, request);
        CreateLease command =
                wish.reserving(
                                kinds.complete(
                                        "reservations",
                                        wish.reservations(),
                                        caller,
                                        Askers.of(caller, request)))
                        .command(new LeaseId(UUID.randomUUID()), caller, context.now());
        Rehearsal rehearsal = commands.rehearse(command, context);
        return switch (rehearsal.outcome()) {
            case Outcome.Accepted<LeaseRejection> accepted -> {
                requireLength(command);
                requireFewLines(command, rehearsal);
                yield quote(rehearsal, context, caller);
            }
            case Outcome.Refused<LeaseRejection> refused ->
                    new Quote(
                            false,
                            List.of(),
                            List.of(),
                            AskedKinds.of(command).shortfalls(refused.shortages()));
            case Outcome.Rejected<LeaseRejection> rejected ->
                    throw LeaseProblems.rejected(rejected.rejection());
        };
    }

    /** Limits the window, as each month of each resource is a line of the response. */
    private static void requireLength(CreateLease command) {
        if (Duration.between(command.start(), command.end()).compareTo(LONGEST) > 0) {
            throw new ProblemException(
                    Problem.ofField(
                            "end",
                            "must not be more than %s days after the start to be quoted"
                                    .formatted(LONGEST.toDays())));
        }
    }

    private static void requireFewLines(CreateLease command, Rehearsal rehearsal) {
        long months = Duration.between(command.start(), command.end()).toDays() / 28 + 2;
        long allocations =
                rehearsal.events().stream()
                        .filter(ReservationGranted.class::isInstance)
                        .mapToLong(event -> ((ReservationGranted) event).allocations().size())
                        .sum();
        if (allocations * months > MOST_LINES) {
            throw new ProblemException(
                    Problem.ofField(
                            "end",
                            ("must be earlier, or less be asked for: %s resources for %s"
                                            + " months are too many lines")
                                    .formatted(allocations, months)));
        }
    }

    private Quote quote(Rehearsal rehearsal, CommandContext context, Caller caller) {
        ChargeRoutes.requirePlans(charges);
        List<Charge> lines = charges.quote(rehearsal.events(), context.now());
        return new Quote(
                true,
                lines.stream().map(hidden.ofChargesAsSeenBy(caller)).map(ChargeLine::of).toList(),
                ChargeAnswers.totals(lines),
                List.of());
    }
}
