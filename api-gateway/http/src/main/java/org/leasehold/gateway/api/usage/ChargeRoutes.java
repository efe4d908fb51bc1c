package org.leasehold.gateway.api.usage;

import static java.util.stream.Collectors.toSet;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.api.query.AsOfResolver.Known;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.api.usage.ChargeResponses.ChargePage;
import org.leasehold.gateway.api.usage.ChargeResponses.ChargedLease;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.gateway.security.Role;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.ChargeSums;
import org.leasehold.readmodel.usage.ChargeSums.Sum;
import org.leasehold.readmodel.usage.ChargeSums.TooManyLeases;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Queries of the charges of leases. */
@RestController
@Tag(name = "charges")
class ChargeRoutes {

    private static final ChargeSums NONE = new ChargeSums(new Page<>(List.of(), null), List.of());

    private final Charges charges;
    private final Labels labels;
    private final PropertyRedaction propertyRedaction;
    private final AsOfResolver asOfResolver;

    ChargeRoutes(Charges charges, Labels labels, PropertyRedaction hidden, AsOfResolver past) {
        this.charges = charges;
        this.labels = labels;
        this.propertyRedaction = hidden;
        this.asOfResolver = past;
    }

    @Operation(
            operationId = "listCharges",
            summary = "List charges of leases, or their sums",
            description =
                    "By the price plans, lease by lease, including leases"
                            + " that are over or deleted, for their part of the"
                            + " window. Each line is rounded once, half to even, and"
                            + " totals are sums of rounded lines. Lost time is"
                            + " charged as reserved and credited in a line of its"
                            + " own. With as_of, the charges as known then, by"
                            + " today's plans. With by, or with lines=false, the"
                            + " response has sums by lease or by project in place of"
                            + " lines, and the totals of the whole window, of at most"
                            + " 20,000 leases. Members of a project see"
                            + " its charges; billers, auditors and administrators see"
                            + " all. A page may be short although the Link header"
                            + " with rel=next leads to a further one.")
    @AnsweredFrom(BookingCalendar.READ_MODEL)
    @LongRead
    @GetMapping("/api/charges")
    ResponseEntity<ChargePage> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid ChargeQuery query,
            HttpServletRequest request,
            HttpServletResponse response) {
        Known known = asOfResolver.resolve(query.asOf(), response, BookingCalendar.READ_MODEL);
        QueryWindow window =
                QueryWindow.ofOrDefaultMonth(
                        query.from(), query.to(), known.now(), Charges.MAX_WINDOW);
        ListCharges question =
                canSeeProject(caller, query.project())
                        ? toQuery(
                                caller,
                                query.project(),
                                window,
                                known,
                                query.marker(),
                                query.limit())
                        : null;
        ChargePage answer =
                query.sums() == null
                        ? lines(caller, question, known)
                        : sums(question, query, known);
        requirePricePlans(charges);
        return window.pageResponse(request, answer, answer.next());
    }

    private ChargePage lines(Caller caller, @Nullable ListCharges question, Known known) {
        Page<LeaseCharges> page =
                question == null ? new Page<>(List.of(), null) : charges.page(question);
        UnaryOperator<Charge> seen = propertyRedaction.forCharges(caller);
        Map<LeaseId, LeaseLabel> names =
                labels.leases(
                        page.items().stream().map(LeaseCharges::lease).collect(toSet()),
                        known.position());
        return new ChargePage(
                page.items().stream()
                        .map(lease -> ChargedLease.of(lease, seen, names.get(lease.lease())))
                        .toList(),
                page.next(),
                null,
                null);
    }

    private ChargePage sums(@Nullable ListCharges question, ChargeQuery query, Known known) {
        boolean byLease = query.sums() == ChargeGrouping.LEASE;
        ChargeSums sums = question == null ? NONE : compute(question, byLease);
        if (!byLease) {
            return ChargePage.ofProjects(sums);
        }
        Set<LeaseId> leases =
                sums.sums().items().stream()
                        .map(Sum::lease)
                        .filter(Objects::nonNull)
                        .collect(toSet());
        return ChargePage.ofLeases(sums, labels.leases(leases, known.position()));
    }

    private ChargeSums compute(ListCharges question, boolean byLease) {
        try {
            return byLease
                    ? ChargeSums.byLease(charges, question)
                    : ChargeSums.byProject(charges, question);
        } catch (TooManyLeases many) {
            throw new ProblemException(
                    Problem.ofField(
                            "to",
                            many.getMessage()
                                    + " before it; a shorter window or one project has fewer"));
        }
    }

    /** Checks for plans last: an invalid query is also invalid without plans. */
    static void requirePricePlans(Charges charges) {
        if (!charges.hasPlans()) {
            throw new ProblemException(
                    Problem.of(
                            404,
                            "no-price-plans",
                            "There are no price plans here: nothing costs anything."));
        }
    }

    /** Returns whether the caller may see the project; they see another project as empty. */
    static boolean canSeeProject(Caller caller, @Nullable String project) {
        ProjectId own = visibleProject(caller);
        return own == null || project == null || own.equals(new ProjectId(project));
    }

    /** Returns the query for a caller with access. */
    static ListCharges toQuery(
            Caller caller,
            @Nullable String project,
            QueryWindow window,
            Known known,
            @Nullable String marker,
            int limit) {
        ProjectId asked = project == null ? visibleProject(caller) : new ProjectId(project);
        return new ListCharges(
                asked, window.from(), window.to(), known.now(), known.position(), marker, limit);
    }

    /** Returns the only project that the caller may see; null if they may see all. */
    private static @Nullable ProjectId visibleProject(Caller caller) {
        return caller.hasRole(Role.BILLER) || caller.hasRole(Role.AUDITOR)
                ? null
                : caller.project();
    }
}
