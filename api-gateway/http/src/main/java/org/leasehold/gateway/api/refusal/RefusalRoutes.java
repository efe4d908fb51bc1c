package org.leasehold.gateway.api.refusal;

import static java.util.stream.Collectors.toSet;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.api.refusal.RefusalResponses.CountedRefusals;
import org.leasehold.gateway.api.refusal.RefusalResponses.RefusalPage;
import org.leasehold.gateway.api.refusal.RefusalResponses.RefusedLine;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.refusal.Refusals;
import org.leasehold.readmodel.refusal.Refusals.ListRefusals;
import org.leasehold.readmodel.refusal.Refusals.Refusal;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Queries of requests that the calendar could not hold. */
@RestController
@Tag(name = "leases")
class RefusalRoutes {

    private final Refusals refusals;
    private final Labels labels;
    private final Clock clock;

    RefusalRoutes(Refusals refusals, Labels labels, Clock clock) {
        this.refusals = refusals;
        this.labels = labels;
        this.clock = clock;
    }

    @Operation(
            operationId = "listRefusals",
            summary = "List refused leases and changes, with the reasons",
            description =
                    "Requests that the calendar could not hold, newest first, with the shortages at"
                        + " that time. The first page counts the newest 10,000 of the window by"
                        + " kind and reason: not_enough_matching if fewer resources met the"
                        + " requirement than were requested, or else not_enough_free. Members of a"
                        + " project see its refusals; planners, auditors and administrators"
                        + " everybody's. The Link header with rel=next leads to the following"
                        + " page.")
    @AnsweredFrom(Refusals.READ_MODEL)
    @LongRead
    @GetMapping("/api/refusals")
    ResponseEntity<RefusalPage> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid RefusalQuery query,
            HttpServletRequest request) {
        QueryWindow window =
                QueryWindow.ofOrDefaultMonth(
                        query.from(), query.to(), clock.instant(), Refusals.MAX_WINDOW);
        String project = query.project();
        ProjectId own = visibleProject(caller);
        ProjectId asked = project == null ? own : new ProjectId(project);
        ListRefusals question =
                new ListRefusals(asked, window.from(), window.to(), query.marker(), query.limit());
        // Another project looks empty to the caller.
        boolean isVisible = own == null || own.equals(asked);
        Page<Refusal> page = isVisible ? refusals.page(question) : new Page<>(List.of(), null);
        Map<LeaseId, LeaseLabel> names =
                labels.leases(page.items().stream().map(Refusal::lease).collect(toSet()), null);
        var answer =
                new RefusalPage(
                        window.from(),
                        window.to(),
                        page.items().stream()
                                .map(each -> RefusedLine.of(each, names.get(each.lease())))
                                .toList(),
                        page.next(),
                        query.marker() == null ? counts(isVisible, question) : null);
        return window.pageResponse(request, answer, page.next());
    }

    private List<CountedRefusals> counts(boolean isVisible, ListRefusals question) {
        return isVisible
                ? refusals.count(question).stream().map(CountedRefusals::of).toList()
                : List.of();
    }

    /** Returns the only project that the caller may see; null if they may see all. */
    private static @Nullable ProjectId visibleProject(Caller caller) {
        return caller.hasRole(Role.PLANNER) || caller.hasRole(Role.AUDITOR)
                ? null
                : caller.project();
    }
}
