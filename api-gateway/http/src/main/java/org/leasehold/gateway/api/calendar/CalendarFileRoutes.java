package org.leasehold.gateway.api.calendar;

import io.swagger.v3.oas.annotations.Hidden;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.ical.ProjectCalendar;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.calendar.CalendarFeeds.CalendarFeed;
import org.leasehold.readmodel.calendar.CalendarFeeds.PlannedLease;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Calendars of projects, for programs that know only the address. */
@Hidden
@RestController
class CalendarFileRoutes {

    static final Duration PAST_WINDOW = Duration.ofDays(30);
    static final Duration FUTURE_WINDOW = Duration.ofDays(366);

    /** The most leases that programs for calendars can handle. */
    static final int MAX_LEASES = 5000;

    /** The version of the format; increase it when the same leases give another file. */
    private static final int FORMAT_VERSION = 1;

    private static final MediaType CALENDAR =
            new MediaType("text", "calendar", StandardCharsets.UTF_8);

    private final CalendarFeeds feeds;
    private final Clock clock;

    CalendarFileRoutes(CalendarFeeds feeds, Clock clock) {
        this.feeds = feeds;
        this.clock = clock;
    }

    /** Returns null when the client has the file already; the response is then complete. */
    @GetMapping(CalendarFeedSecret.PATH)
    @Nullable ResponseEntity<byte[]> file(
            @PathVariable("secret") String secret, WebRequest request) {
        CalendarFeed feed =
                feeds.find(new CalendarFeedSecret(secret).hash())
                        .orElseThrow(() -> new ProblemException(Problem.notFound("calendar")));
        Instant today = clock.instant().truncatedTo(ChronoUnit.DAYS);
        // Before the leases are read: changes in between are in the file; the tag changes later.
        String tag =
                "W/\"%s.%s.%s\""
                        .formatted(
                                FORMAT_VERSION,
                                today.getEpochSecond(),
                                feeds.version(feed.project()));
        if (request.checkNotModified(tag)) {
            return null;
        }
        return ResponseEntity.ok()
                .contentType(CALENDAR)
                .cacheControl(CacheControl.noCache().cachePrivate())
                .body(file(feed, today).getBytes(StandardCharsets.UTF_8));
    }

    private String file(CalendarFeed feed, Instant today) {
        List<PlannedLease> found =
                feeds.planned(
                        feed.project(),
                        today.minus(PAST_WINDOW),
                        today.plus(FUTURE_WINDOW),
                        MAX_LEASES + 1);
        boolean more = found.size() > MAX_LEASES;
        return new ProjectCalendar(
                        feed.project(),
                        feed.name(),
                        more ? found.subList(0, MAX_LEASES) : found,
                        more)
                .text();
    }
}
