package org.leasehold.gateway.api.query;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;

/**
 * The window of a query.
 *
 * @param from inclusive
 * @param to exclusive
 */
public record QueryWindow(Instant from, Instant to) {

    /**
     * Returns a valid window.
     *
     * @throws ProblemException if it is empty, or longer than the longest; it names {@code to}
     */
    public static QueryWindow of(Instant from, Instant to, Duration longest) {
        requireOrdered(from, to);
        if (to.isAfter(from.plus(longest))) {
            throw new ProblemException(
                    Problem.ofField(
                            "to",
                            "must not be more than %s days after from"
                                    .formatted(longest.toDays())));
        }
        return new QueryWindow(from, to);
    }

    /**
     * Checks a window that may have no beginning, or no end.
     *
     * @throws ProblemException if it is empty; it names {@code to}
     */
    public static void requireOrdered(@Nullable Instant from, @Nullable Instant to) {
        if (from != null && to != null && !from.isBefore(to)) {
            throw new ProblemException(Problem.ofField("to", "must be after from"));
        }
    }

    /**
     * Returns the given window; by default, this month, or the month of the only given end.
     *
     * @throws ProblemException as above
     */
    public static QueryWindow ofOrDefaultMonth(
            @Nullable Instant from, @Nullable Instant to, Instant now, Duration longest) {
        Instant start = from == null ? startOfMonth(to == null ? now : to.minusNanos(1)) : from;
        return of(start, to == null ? startOfNextMonth(start) : to, longest);
    }

    /** Returns the beginning of the month, in UTC, of an instant. */
    private static Instant startOfMonth(Instant instant) {
        LocalDate day = instant.atOffset(ZoneOffset.UTC).toLocalDate();
        return TimeParser.clamp(day.withDayOfMonth(1).atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    private static Instant startOfNextMonth(Instant start) {
        LocalDate day = start.atOffset(ZoneOffset.UTC).toLocalDate();
        LocalDate next = day.withDayOfMonth(1).plusMonths(1);
        return TimeParser.clamp(next.atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    /** Returns the part that is past at an instant; empty if there is none. */
    public QueryWindow elapsedAt(Instant now) {
        if (!now.isBefore(to)) {
            return this;
        }
        return new QueryWindow(from, now.isBefore(from) ? from : now);
    }

    /**
     * Returns a page of a response, with a {@code Link} to the next one, whose window does not move
     * with the time.
     *
     * @param next the end of the page; null for the last one
     */
    public <T> ResponseEntity<T> pageResponse(
            HttpServletRequest request, T page, @Nullable String next) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (next != null) {
            answer.header(
                    HttpHeaders.LINK,
                    NextPageLink.link(request, Map.of("from", from, "to", to, "marker", next)));
        }
        return answer.body(page);
    }
}
