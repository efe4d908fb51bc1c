package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.LeaseView;
import org.springframework.http.HttpHeaders;

import java.util.Arrays;

/** The headers that say which state of the engine an answer stands on. */
final class Headers {

    /** The position among all events that an answer includes. */
    static final String POSITION = "Leasehold-Position";

    private Headers() {}

    static String entityTag(LeaseView lease) {
        return "\"" + lease.version() + "\"";
    }

    static HttpHeaders at(long position) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(POSITION, Long.toString(position));
        return headers;
    }

    /**
     * Refuses to change what is not any more what the caller saw.
     *
     * @param wanted the value of {@code If-Match}; null when the caller takes it as it is
     */
    static void requireMatch(@Nullable String wanted, LeaseView lease) {
        if (wanted == null) {
            return;
        }
        String actual = entityTag(lease);
        boolean matches =
                Arrays.stream(wanted.split(",", -1))
                        .map(String::strip)
                        .anyMatch(tag -> tag.equals("*") || tag.equals(actual));
        if (!matches) {
            throw new ProblemException(
                    Problem.of(
                            412,
                            "precondition-failed",
                            "The lease has changed: its entity tag is " + actual + "."));
        }
    }
}
