package org.leasehold.gateway.api.capacity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.lease.LeaseRequestBodies.AvailabilityQuestion;
import org.leasehold.gateway.api.lease.LeaseResponses.Opening;
import org.leasehold.gateway.api.lease.LeaseResponses.Openings;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.CloudCallers;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.Availability.FindAvailability;
import org.leasehold.resource.RequestCompleter.Asker;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Routes that find free windows. */
@RestController
@Tag(name = "availability")
class AvailabilityRoutes {

    private static final int DEFAULT_LIMIT = 10;
    private static final Duration DEFAULT_SEARCH = Duration.ofDays(30);
    private static final Duration MAX_SEARCH = Duration.ofDays(3 * 366);
    private static final Duration MAX_WINDOW = Duration.ofDays(100 * 366);

    private final Availability availability;
    private final PluginFacade kinds;
    private final Clock clock;

    AvailabilityRoutes(Availability availability, PluginFacade kinds, Clock clock) {
        this.availability = availability;
        this.kinds = kinds;
        this.clock = clock;
    }

    @Operation(
            operationId = "findAvailability",
            summary = "Find the earliest starts that the calendar can hold",
            description =
                    "Takes reservations as a new lease has them, and"
                            + " returns the periods in which the lease could start. A"
                            + " start may be taken before you create the lease.")
    @PostMapping("/api/availability")
    Openings find(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody AvailabilityQuestion question,
            HttpServletRequest request) {
        Map<String, @Nullable Object> parameters = question.parameters();
        Integer limit = question.limit();
        return find(
                kinds.completeReservation(
                                "",
                                question.kind(),
                                parameters == null ? Map.of() : parameters,
                                caller,
                                CloudCallers.of(caller, request))
                        .demands(),
                question.duration(),
                question.earliest(),
                question.horizon(),
                limit == null ? DEFAULT_LIMIT : limit);
    }

    @Operation(
            operationId = "findAvailabilityByQuery",
            summary = "Find the earliest starts for whole resources",
            description =
                    "The same as the request with a body, for kinds whose"
                            + " reservations take min, max and resource_properties.")
    @GetMapping("/api/availability")
    Openings find(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid AvailabilityQuery query,
            HttpServletRequest request) {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        Integer maximum = query.maximum();
        String requirement = query.requirement();
        parameters.put("min", query.minimum());
        parameters.put("max", maximum == null ? query.minimum() : maximum);
        parameters.put("hypervisor_properties", "");
        parameters.put("resource_properties", requirement == null ? "" : requirement);
        Asker asker = CloudCallers.of(caller, request);
        return find(
                demands(query.kind(), parameters, caller, asker),
                query.duration(),
                query.earliest(),
                query.horizon(),
                query.limit());
    }

    /** Renames fields in errors about parameters to the query parameters that they come from. */
    private List<Demand> demands(
            String kind, Map<String, @Nullable Object> parameters, Caller caller, Asker asker) {
        Map<String, String> origins =
                Map.of(
                        "parameters.min", "minimum",
                        "parameters.max", "maximum",
                        "parameters.resource_properties", "requirement");
        try {
            return kinds.completeReservation("", kind, parameters, caller, asker).demands();
        } catch (ProblemException invalid) {
            throw new ProblemException(invalid.problem().withFieldsRenamed(origins));
        }
    }

    private Openings find(
            List<Demand> demands,
            Duration duration,
            @Nullable Instant askedEarliest,
            @Nullable Instant askedHorizon,
            int limit) {
        Instant now = clock.instant();
        Instant earliest = askedEarliest == null ? now : askedEarliest;
        Instant horizon =
                askedHorizon == null
                        ? TimeParser.clamp(earliest.plus(DEFAULT_SEARCH))
                        : askedHorizon;
        require(
                duration.isPositive() && duration.compareTo(MAX_WINDOW) <= 0,
                "duration",
                "must be positive, and at most a hundred years");
        // As with leases, a start in the current minute counts as now.
        require(
                !earliest.isBefore(now.truncatedTo(ChronoUnit.MINUTES)),
                "earliest",
                "is in the past: it is " + now);
        require(!horizon.isBefore(earliest), "horizon", "must not be before " + earliest);
        require(
                Duration.between(earliest, horizon).compareTo(MAX_SEARCH) <= 0,
                "horizon",
                "must be at most three years after " + earliest);
        FindAvailability question =
                new FindAvailability(demands.getFirst(), duration, earliest, horizon, limit);
        return new Openings(
                new CommonOpeningSearch(availability, demands)
                        .find(question).stream().map(Opening::of).toList());
    }

    private static void require(boolean holds, String field, String message) {
        if (!holds) {
            throw new ProblemException(Problem.ofField(field, message));
        }
    }
}
