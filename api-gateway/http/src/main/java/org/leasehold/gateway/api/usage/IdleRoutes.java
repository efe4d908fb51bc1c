package org.leasehold.gateway.api.usage;

import static java.util.stream.Collectors.toSet;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.api.query.AsOfResolver.Known;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.api.usage.IdleResponses.IdleLine;
import org.leasehold.gateway.api.usage.IdleResponses.IdlePage;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.usage.IdleLeases;
import org.leasehold.readmodel.usage.IdleLeases.IdleLease;
import org.leasehold.readmodel.usage.IdleLeases.ListIdleLeases;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Map;

/** Queries of leases whose resources run nothing. */
@RestController
@Tag(name = "usage")
class IdleRoutes {

    private final IdleLeases idleLeases;
    private final Labels labels;
    private final PluginFacade kinds;
    private final AsOfResolver asOfResolver;

    IdleRoutes(IdleLeases idleLeases, Labels labels, PluginFacade kinds, AsOfResolver past) {
        this.idleLeases = idleLeases;
        this.labels = labels;
        this.kinds = kinds;
        this.asOfResolver = past;
    }

    @Operation(
            operationId = "listIdleLeases",
            summary = "List leases on whose hosts nothing ran",
            description =
                    "No-shows: leases with whole hosts that the engine observed in the window, and"
                        + " on which it never found a server; the longest idle time first. With"
                        + " active=true only leases that still have their hosts. Members of a"
                        + " project see its leases; planners, billers, auditors and administrators"
                        + " everybody's. The Link header with rel=next leads to the following"
                        + " page.")
    @AnsweredFrom(Usages.READ_MODEL)
    @LongRead
    @GetMapping("/api/usage/idle")
    ResponseEntity<IdlePage> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid IdleQuery query,
            HttpServletRequest request,
            HttpServletResponse response) {
        Known known = asOfResolver.resolve(query.asOf(), response, Usages.READ_MODEL);
        QueryWindow window =
                QueryWindow.ofOrDefaultMonth(
                        query.from(), query.to(), known.now(), Usages.MAX_WINDOW);
        String project = query.project();
        String kind = query.kind();
        ProjectId own = UsageRoutes.visibleProject(caller);
        ProjectId asked = project == null ? own : new ProjectId(project);
        ListIdleLeases question =
                new ListIdleLeases(
                        new Filter(
                                null, asked, null, kind == null ? null : kinds.kind("kind", kind)),
                        query.active(),
                        window.from(),
                        window.to(),
                        known.now(),
                        known.position(),
                        query.marker(),
                        query.limit());
        // Another project looks empty to the caller.
        boolean isVisible = own == null || own.equals(asked);
        Page<IdleLease> page = isVisible ? idleLeases.page(question) : new Page<>(List.of(), null);
        Map<LeaseId, LeaseLabel> names =
                labels.leases(
                        page.items().stream().map(IdleLease::lease).collect(toSet()),
                        known.position());
        QueryWindow used = window.elapsedAt(known.now());
        var answer =
                new IdlePage(
                        used.from(),
                        used.to(),
                        page.items().stream()
                                .map(idle -> IdleLine.of(idle, names.get(idle.lease())))
                                .toList(),
                        page.next());
        return used.pageResponse(request, answer, page.next());
    }
}
