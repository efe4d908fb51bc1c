package org.leasehold.gateway.api.capacity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.capacity.CapacityResponses.CapacityAnswer;
import org.leasehold.gateway.api.capacity.CapacityResponses.CapacitySeries;
import org.leasehold.gateway.api.capacity.CapacityResponses.ForecastAnswer;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.api.query.AsOfResolver.Known;
import org.leasehold.gateway.api.query.RequirementValidator;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.TooManySeries;
import org.leasehold.readmodel.capacity.Forecasts;
import org.leasehold.readmodel.capacity.Forecasts.AskForecast;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** Queries of capacity, its use, and its future use. */
@RestController
@Tag(name = "capacity")
class CapacityRoutes {

    private static final Duration DEFAULT_WINDOW = Duration.ofDays(30);
    private static final Duration MAX_BUCKET = Duration.ofDays(366);

    private final Capacities capacities;
    private final Forecasts forecasts;
    private final PluginFacade kinds;
    private final FilterPropertyValidator propertyValidator;
    private final AsOfResolver asOfResolver;
    private final Clock clock;

    CapacityRoutes(
            Capacities capacities,
            Forecasts forecasts,
            PluginFacade kinds,
            FilterPropertyValidator names,
            AsOfResolver past,
            Clock clock) {
        this.capacities = capacities;
        this.forecasts = forecasts;
        this.kinds = kinds;
        this.propertyValidator = names;
        this.asOfResolver = past;
        this.clock = clock;
    }

    @Operation(
            operationId = "getCapacity",
            summary = "Show the capacity of a kind of resources over time",
            description =
                    "Averages per bucket, for any window in the past or"
                            + " future. The window is widened to whole hours in UTC,"
                            + " with at most 10,000 buckets of whole hours. The"
                            + " requirement applies to properties that operators set,"
                            + " and to vcpus, memory_mb and local_gb. A share of a"
                            + " resource counts as the part that it takes.")
    @AnsweredFrom(Capacities.READ_MODEL)
    @LongRead
    @GetMapping("/api/capacity")
    CapacityAnswer find(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid CapacityQuery query,
            HttpServletResponse response) {
        Instant from = query.from();
        Instant to = query.to();
        Duration bucket = query.bucket();
        String by = query.by();
        Instant start = (from == null ? clock.instant() : from).truncatedTo(ChronoUnit.HOURS);
        Instant end = nextHour(to == null ? TimeParser.clamp(start.plus(DEFAULT_WINDOW)) : to);
        Duration length = bucket == null ? Capacities.BUCKET_UNIT : bucket;
        requireWindow(start, end, length);
        ResourceKind asked = kinds.kind("kind", query.kind());
        if (by != null) {
            RequirementValidator.requireKnownProperties(
                    propertyValidator, caller, asked, "by", Set.of(PropertyName.withoutScope(by)));
        }
        AskCapacity question =
                new AskCapacity(
                        asked,
                        query.zone(),
                        requirement(caller, asked, query.requirement()),
                        by == null ? null : PropertyName.withoutScope(by),
                        start,
                        end,
                        length,
                        query.wanted(),
                        resolveAsOf(query.asOf(), response).position());
        // The query takes whole hours; the last one ends after the last instant of a response.
        return new CapacityAnswer(asked.value(), start, TimeParser.clamp(end), series(question));
    }

    @Operation(
            operationId = "forecastCapacity",
            summary = "Forecast reserved capacity",
            description =
                    "Hour by hour from the start of the current hour, with"
                            + " the bookings of the calendar. The same method is"
                            + " tested on the last eight complete weeks. There is no"
                            + " forecast if the intervals between low and high, which"
                            + " should hold in 80 % of all hours, held in less than"
                            + " 70 % or more than 90 %, or if the same hour of the"
                            + " week before was the better estimate. first_shortage"
                            + " is the first hour in which high exceeds what is"
                            + " reservable. With growth, week w is multiplied by (1 +"
                            + " growth / 100) to the power of w, for up to 52 weeks;"
                            + " beyond four weeks, the intervals are those of four"
                            + " weeks. With as_of, the forecast of that time.")
    @AnsweredFrom(Forecasts.READ_MODEL)
    @LongRead
    @GetMapping("/api/capacity/forecast")
    ForecastAnswer forecast(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid ForecastQuery query,
            HttpServletResponse response) {
        require(
                query.growth() != null || query.weeks() <= Forecasts.MAX_WEEKS,
                "weeks",
                "must be at most %s without growth".formatted(Forecasts.MAX_WEEKS));
        ResourceKind asked = kinds.kind("kind", query.kind());
        Known known = resolveAsOf(query.asOf(), response);
        Instant from = known.now().truncatedTo(ChronoUnit.HOURS);
        return ForecastAnswer.of(
                asked,
                from,
                forecasts.forecast(
                        new AskForecast(
                                asked,
                                query.zone(),
                                requirement(caller, asked, query.requirement()),
                                from,
                                query.weeks(),
                                query.growth(),
                                known.position())));
    }

    private List<CapacitySeries> series(AskCapacity question) {
        try {
            return capacities.findSeries(question).stream().map(CapacitySeries::of).toList();
        } catch (TooManySeries many) {
            throw new ProblemException(
                    Problem.ofField(
                            "by",
                            many.getMessage() + "; longer buckets or a shorter window take more"));
        }
    }

    private static Instant nextHour(Instant instant) {
        Instant hour = instant.truncatedTo(ChronoUnit.HOURS);
        return hour.equals(instant) ? hour : hour.plus(Capacities.BUCKET_UNIT);
    }

    private static void requireWindow(Instant from, Instant to, Duration bucket) {
        require(from.isBefore(to), "to", "must be after from");
        require(
                bucket.isPositive()
                        && bucket.compareTo(MAX_BUCKET) <= 0
                        && bucket.truncatedTo(ChronoUnit.HOURS).equals(bucket),
                "bucket",
                "must be whole hours, such as PT1H or P1D, and at most 366 days");
        require(
                Capacities.countBuckets(from, to, bucket) <= Capacities.MAX_BUCKETS,
                "bucket",
                "is too short for so long a window: it would have more than %s"
                        .formatted(Capacities.MAX_BUCKETS));
    }

    private Requirement requirement(Caller caller, ResourceKind kind, @Nullable String text) {
        return RequirementValidator.parseRequirement(
                propertyValidator, caller, kind, "requirement", text);
    }

    /** Waits for two read models, which both contribute to the response. */
    private Known resolveAsOf(@Nullable Instant asOf, HttpServletResponse response) {
        return asOfResolver.resolve(
                asOf, response, BookingCalendar.READ_MODEL, Capacities.READ_MODEL);
    }

    private static void require(boolean holds, String field, String message) {
        if (!holds) {
            throw new ProblemException(Problem.ofField(field, message));
        }
    }
}
