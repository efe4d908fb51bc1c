package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletRequest;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A time that somebody asks about.
 *
 * @param from inclusive
 * @param to exclusive
 */
record AskedWindow(Instant from, Instant to) {

    /**
     * One that can be asked about.
     *
     * @throws ProblemException if it is empty, or longer than the longest; it names {@code to}
     */
    static AskedWindow of(Instant from, Instant to, Duration longest) {
        if (!from.isBefore(to)) {
            throw new ProblemException(Problem.ofField("to", "must be after from"));
        }
        if (to.isAfter(from.plus(longest))) {
            throw new ProblemException(
                    Problem.ofField(
                            "to",
                            "must not be more than %d days after from"
                                    .formatted(longest.toDays())));
        }
        return new AskedWindow(from, to);
    }

    /** The same question, from a place on; its window does not move on with the time. */
    String next(HttpServletRequest request, String marker) {
        return NextPage.link(request, Map.of("from", from, "to", to, "marker", marker));
    }
}
