package org.leasehold.gateway.api.usage;

import static java.util.Objects.requireNonNull;

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
import org.leasehold.gateway.api.query.RequirementValidator;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.api.usage.UsageResponses.UsagePage;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.readmodel.usage.Usages.ListUsage;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Queries of the time for which leases had their resources. */
@RestController
@Tag(name = "usage")
class UsageRoutes {

    private static final Set<String> BUILT_IN_GROUPINGS =
            Set.of(Usages.BY_LEASE, Usages.BY_PROJECT, Usages.BY_RESOURCE, Usages.BY_ZONE);

    private final Usages usages;
    private final Labels labels;
    private final PluginFacade kinds;
    private final FilterPropertyValidator propertyValidator;
    private final AsOfResolver asOfResolver;

    UsageRoutes(
            Usages usages,
            Labels labels,
            PluginFacade kinds,
            FilterPropertyValidator names,
            AsOfResolver past) {
        this.usages = usages;
        this.labels = labels;
        this.kinds = kinds;
        this.propertyValidator = names;
        this.asOfResolver = past;
    }

    @Operation(
            operationId = "listUsage",
            summary = "List usage of leases, in seconds times slots",
            description =
                    "Includes leases that are over or deleted, until now"
                            + " or until as_of. One line for each kind of resources,"
                            + " or for each kind and value of the dimension that by"
                            + " names: lease, project, resource, zone, a property"
                            + " that operators set, vcpus, memory_mb or local_gb. The"
                            + " last four need a kind. Two dimensions, with a comma"
                            + " between them, give one line for each pair of values."
                            + " A lease has the name that it has now or had as of"
                            + " as_of, a resource its current one. Members of a"
                            + " project see its usage; planners, billers, auditors"
                            + " and administrators see all. The Link header with"
                            + " rel=next leads to the next page.")
    @AnsweredFrom({Usages.READ_MODEL, Capacities.READ_MODEL})
    @LongRead
    @GetMapping("/api/usage")
    ResponseEntity<UsagePage> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid UsageQuery query,
            HttpServletRequest request,
            HttpServletResponse response) {
        // The properties of resources at that time are in another read model.
        Known known =
                asOfResolver.resolve(
                        query.asOf(), response, Capacities.READ_MODEL, Usages.READ_MODEL);
        QueryWindow window =
                QueryWindow.ofOrDefaultMonth(
                        query.from(), query.to(), known.now(), Usages.MAX_WINDOW);
        String project = query.project();
        String kind = query.kind();
        Long resource = query.resource();
        UUID lease = query.lease();
        ProjectId own = visibleProject(caller);
        ProjectId asked = project == null ? own : new ProjectId(project);
        ResourceKind ofKind = kind == null ? null : kinds.kind("kind", kind);
        List<String> by = resolveDimensions(caller, query.by(), ofKind);
        ListUsage question =
                new ListUsage(
                        new Filter(
                                resource == null ? null : new ResourceId(resource),
                                asked,
                                lease == null ? null : new LeaseId(lease),
                                ofKind),
                        by,
                        requirement(caller, query.requirement(), ofKind),
                        window.from(),
                        window.to(),
                        known.now(),
                        known.position(),
                        query.marker(),
                        query.limit());
        // Another project looks empty to the caller.
        boolean isVisible = own == null || own.equals(asked);
        Page<Usage> page = isVisible ? usages.page(question) : new Page<>(List.of(), null);
        QueryWindow used = window.elapsedAt(known.now());
        var answer =
                new UsagePage(
                        used.from(),
                        used.to(),
                        UsageLabels.of(page.items(), by, known.position(), labels),
                        page.next());
        return used.pageResponse(request, answer, page.next());
    }

    /** Returns the only project that the caller may see; null if they may see all. */
    static @Nullable ProjectId visibleProject(Caller caller) {
        return caller.hasRole(Role.PLANNER)
                        || caller.hasRole(Role.BILLER)
                        || caller.hasRole(Role.AUDITOR)
                ? null
                : caller.project();
    }

    private List<String> resolveDimensions(
            Caller caller, @Nullable String by, @Nullable ResourceKind kind) {
        if (by == null) {
            return List.of();
        }
        String[] names = by.split(",", -1);
        require(names.length <= Usages.MAX_DIMENSIONS, "by", "must name at most two");
        List<String> dimensions =
                Arrays.stream(names).map(each -> resolveDimension(caller, each, kind)).toList();
        require(
                Set.copyOf(dimensions).size() == dimensions.size(),
                "by",
                "must not name the same twice");
        return dimensions;
    }

    private String resolveDimension(Caller caller, String by, @Nullable ResourceKind kind) {
        if (BUILT_IN_GROUPINGS.contains(by)) {
            return by;
        }
        String property = PropertyName.withoutScope(by);
        require(!BUILT_IN_GROUPINGS.contains(property), "by", "must not have a scope");
        requireKind(
                kind,
                "must be said where by is not lease, project, resource or zone: kinds"
                        + " have properties of their own");
        RequirementValidator.requireKnownProperties(
                propertyValidator, caller, requireNonNull(kind), "by", Set.of(property));
        return property;
    }

    private Requirement requirement(
            Caller caller, @Nullable String text, @Nullable ResourceKind kind) {
        if (text == null) {
            return Requirement.none();
        }
        requireKind(kind, "must be said with a requirement: kinds have properties of their own");
        return RequirementValidator.parseRequirement(
                propertyValidator, caller, requireNonNull(kind), "requirement", text);
    }

    private static void requireKind(@Nullable ResourceKind kind, String message) {
        require(kind != null, "kind", message);
    }

    private static void require(boolean holds, String field, String message) {
        if (!holds) {
            throw new ProblemException(Problem.ofField(field, message));
        }
    }
}
