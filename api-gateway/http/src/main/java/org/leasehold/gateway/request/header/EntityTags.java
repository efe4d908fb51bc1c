package org.leasehold.gateway.request.header;

import static java.util.stream.Collectors.toUnmodifiableSet;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.lease.LeaseView;
import org.springframework.http.HttpHeaders;

import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Entity tags of leases. They are the same in both APIs. */
public final class EntityTags {

    private static final Pattern VERSION_TAG =
            Pattern.compile("\"([0-9]{1,18})(?:-[0-9a-f]{1,8})?\"");

    private static final String WILDCARD = "*";
    private static final String WEAK_PREFIX = "W/";

    private EntityTags() {}

    /**
     * Returns the tag of a lease as it is shown. A change of the state of its resources is no event
     * of the lease and changes no version; a cached response must not hide it.
     */
    public static String of(LeaseView lease) {
        return lease.degraded()
                ? "\"%s-%s\""
                        .formatted(
                                Long.toString(lease.version()),
                                Integer.toHexString(Objects.hashCode(lease.explanation())))
                : of(lease.version());
    }

    /** Returns the tag of a version. */
    public static String of(long version) {
        return "\"" + version + "\"";
    }

    /**
     * Returns the versions of a lease that a caller is willing to change.
     *
     * @param match the value of {@code If-Match}; null when there is none
     * @return null for every version; empty when the value names no version that a lease can have
     */
    public static @Nullable Set<Long> acceptedVersions(@Nullable String match) {
        if (match == null) {
            return null;
        }
        Set<String> tags = splitTags(match).collect(toUnmodifiableSet());
        return tags.contains(WILDCARD)
                ? null
                : tags.stream()
                        .map(VERSION_TAG::matcher)
                        .filter(Matcher::matches)
                        .map(tag -> Long.valueOf(tag.group(1)))
                        .collect(toUnmodifiableSet());
    }

    /**
     * Returns the versions of a lease that a request is willing to change, by both conditions.
     *
     * @param match the value of {@code If-Match}; null when there is none
     * @param request may have {@code If-None-Match}, which compares weakly: RFC 9110, 13.1.2
     * @param lease the current state
     * @return null for every version; empty when the lease must not be changed
     */
    public static @Nullable Set<Long> acceptedVersions(
            @Nullable String match, HttpServletRequest request, LeaseView lease) {
        Set<String> unwanted =
                Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH)).stream()
                        .flatMap(EntityTags::splitTags)
                        .collect(toUnmodifiableSet());
        String present = of(lease);
        boolean matches =
                unwanted.contains(WILDCARD)
                        || unwanted.contains(present)
                        || unwanted.contains(WEAK_PREFIX + present);
        return matches ? Set.of() : acceptedVersions(match);
    }

    private static Stream<String> splitTags(String header) {
        return Arrays.stream(header.split(",", -1)).map(String::strip);
    }
}
