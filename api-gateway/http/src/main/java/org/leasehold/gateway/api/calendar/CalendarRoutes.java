package org.leasehold.gateway.api.calendar;

import static java.util.stream.Collectors.toSet;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.calendar.CalendarResponses.CalendarLine;
import org.leasehold.gateway.api.calendar.CalendarResponses.CalendarPage;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.calendar.BookingCalendar.Booking;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.calendar.BookingCalendar.Line;
import org.leasehold.readmodel.calendar.BookingCalendar.ListBookings;
import org.leasehold.readmodel.calendar.BookingCalendar.Taken;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Queries of the calendar, now and in the past. */
@RestController
@Tag(name = "calendar")
class CalendarRoutes {

    private static final Duration DEFAULT_WINDOW = Duration.ofDays(30);

    private final BookingCalendar calendar;
    private final Labels labels;
    private final PluginFacade kinds;
    private final AsOfResolver asOfResolver;
    private final Clock clock;

    CalendarRoutes(
            BookingCalendar calendar,
            Labels labels,
            PluginFacade kinds,
            AsOfResolver asOfResolver,
            Clock clock) {
        this.calendar = calendar;
        this.labels = labels;
        this.kinds = kinds;
        this.asOfResolver = asOfResolver;
        this.clock = clock;
    }

    @Operation(
            operationId = "listBookings",
            summary = "List bookings of resources",
            description =
                    "Includes past bookings. Members of a project see its"
                            + " bookings. Of other projects, they see only that a"
                            + " resource is taken, and nothing if they ask for a"
                            + " lease, a project or the past. Planners, auditors and"
                            + " administrators see all bookings. Bookings have the"
                            + " name of their lease, now or as of as_of, and the"
                            + " current name and zone of their resource. The Link"
                            + " header with rel=next leads to the next page.")
    @AnsweredFrom(BookingCalendar.READ_MODEL)
    @LongRead
    @GetMapping("/api/calendar")
    ResponseEntity<CalendarPage> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid BookingQuery query,
            HttpServletRequest request,
            HttpServletResponse response) {
        Filter filter = filter(query);
        Instant from = query.from();
        Instant to = query.to();
        Instant start = from == null ? clock.instant() : from;
        QueryWindow window =
                QueryWindow.of(
                        start,
                        to == null ? TimeParser.clamp(start.plus(DEFAULT_WINDOW)) : to,
                        BookingCalendar.MAX_WINDOW);
        Long asOf =
                asOfResolver.resolve(query.asOf(), response, BookingCalendar.READ_MODEL).position();
        Page<Line> page =
                calendar.page(
                        new ListBookings(
                                visibleProject(caller),
                                filter,
                                window.from(),
                                window.to(),
                                asOf,
                                query.marker(),
                                query.limit()));
        var answer = new CalendarPage(lines(page.items(), asOf), page.next());
        return window.pageResponse(request, answer, page.next());
    }

    /** Returns lines with the names of what the caller sees; only bookings have names. */
    private List<CalendarLine> lines(List<Line> found, @Nullable Long asOf) {
        List<Booking> bookings =
                found.stream().filter(Booking.class::isInstance).map(Booking.class::cast).toList();
        Map<LeaseId, LeaseLabel> leases =
                labels.leases(bookings.stream().map(Booking::lease).collect(toSet()), asOf);
        Map<ResourceId, ResourceLabel> resources =
                labels.resources(bookings.stream().map(Booking::resource).collect(toSet()));
        return found.stream()
                .map(
                        line ->
                                switch (line) {
                                    case Taken taken -> CalendarLine.of(taken);
                                    case Booking booking ->
                                            CalendarLine.of(
                                                    booking,
                                                    leases.get(booking.lease()),
                                                    resources.get(booking.resource()));
                                })
                .toList();
    }

    private Filter filter(BookingQuery query) {
        Long resource = query.resource();
        String project = query.project();
        UUID lease = query.lease();
        String kind = query.kind();
        return new Filter(
                resource == null ? null : new ResourceId(resource),
                project == null ? null : new ProjectId(project),
                lease == null ? null : new LeaseId(lease),
                kind == null ? null : kinds.kind("kind", kind));
    }

    /** Returns the only project that the caller may see; null if they may see all. */
    private static @Nullable ProjectId visibleProject(Caller caller) {
        return caller.hasRole(Role.PLANNER) || caller.hasRole(Role.AUDITOR)
                ? null
                : caller.project();
    }
}
