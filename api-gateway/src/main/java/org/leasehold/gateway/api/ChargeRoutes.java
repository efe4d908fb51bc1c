package org.leasehold.gateway.api;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.AsOf.Known;
import org.leasehold.gateway.api.ChargeAnswers.ChargePage;
import org.leasehold.gateway.api.ChargeAnswers.ChargedLease;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.HiddenProperties;
import org.leasehold.gateway.security.Role;
import org.leasehold.lease.ProjectId;
import org.leasehold.query.Calendar;
import org.leasehold.query.Charge;
import org.leasehold.query.Charges;
import org.leasehold.query.Charges.LeaseCharges;
import org.leasehold.query.Charges.ListCharges;
import org.leasehold.query.Page;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Queries of the charges of leases. */
@RestController
@Tag(name = "charges")
class ChargeRoutes {

    private final Charges charges;
    private final HiddenProperties hidden;
    private final AsOf past;

    ChargeRoutes(Charges charges, HiddenProperties hidden, AsOf past) {
        this.charges = charges;
        this.hidden = hidden;
        this.past = past;
    }

    @Operation(
            operationId = "listCharges",
            summary = "Tells what leases cost by the price plans, lease by lease",
            description =
                    "Also those that are over or deleted, as far as they reach into the window."
                            + " Each line is rounded once, half to even, and totals are sums of"
                            + " rounded lines. Lost time is charged as reserved and credited"
                            + " beside. as_of tells what was known then, by the plans of now."
                            + " Members of a project see its charges; billers, auditors"
                            + " and administrators everybody's. A page may be short, and yet the"
                            + " Link header with rel=next leads to the following one.")
    @StandsOn(Calendar.STANDS_ON)
    @LongRead
    @GetMapping("/api/charges")
    ResponseEntity<ChargePage> list(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "project", required = false) @Size(max = 255)
                    @Nullable String project,
            @RequestParam(name = "from", required = false) @Nullable Instant from,
            @RequestParam(name = "to", required = false) @Nullable Instant to,
            @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
            @RequestParam(name = "marker", required = false) @Nullable String marker,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(1000) int limit,
            HttpServletRequest request,
            HttpServletResponse response) {
        Known known = past.known(asOf, response, Calendar.STANDS_ON);
        AskedWindow window = AskedWindow.orMonth(from, to, known.now(), Charges.LONGEST);
        Page<LeaseCharges> page =
                mayBeTold(caller, project)
                        ? charges.page(question(caller, project, window, known, marker, limit))
                        : new Page<>(List.of(), null);
        requirePlans(charges);
        UnaryOperator<Charge> seen = hidden.ofChargesAsSeenBy(caller);
        var answer =
                new ChargePage(
                        page.items().stream().map(lease -> ChargedLease.of(lease, seen)).toList(),
                        page.next());
        return window.answer(request, answer, page.next());
    }

    /** Checks for plans last: an invalid query is also invalid without plans. */
    static void requirePlans(Charges charges) {
        if (!charges.hasPlans()) {
            throw new ProblemException(
                    Problem.of(
                            404,
                            "no-price-plans",
                            "There are no price plans here: nothing costs anything."));
        }
    }

    /** Returns whether the caller may see the project; they see another project as empty. */
    static boolean mayBeTold(Caller caller, @Nullable String project) {
        ProjectId own = asker(caller);
        return own == null || project == null || own.equals(new ProjectId(project));
    }

    /** Returns the query for a caller with access. */
    static ListCharges question(
            Caller caller,
            @Nullable String project,
            AskedWindow window,
            Known known,
            @Nullable String marker,
            int limit) {
        ProjectId asked = project == null ? asker(caller) : new ProjectId(project);
        return new ListCharges(
                asked, window.from(), window.to(), known.now(), known.position(), marker, limit);
    }

    /** Returns the only project that the caller may see; null if they may see all. */
    private static @Nullable ProjectId asker(Caller caller) {
        return caller.is(Role.BILLER) || caller.is(Role.AUDITOR) ? null : caller.project();
    }
}
