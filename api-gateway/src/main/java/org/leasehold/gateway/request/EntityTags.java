package org.leasehold.gateway.request;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.LeaseView;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Entity tags of leases. They are the same in both APIs. */
public final class EntityTags {

    private static final Pattern VERSION = Pattern.compile("\"([0-9]{1,18})(?:-[0-9a-f]{1,8})?\"");

    private EntityTags() {}

    /**
     * The tag of a lease as it is shown. What the inventory says of its resources is no event of
     * the lease, and changes no version; a cached answer must not hide it.
     */
    public static String of(LeaseView lease) {
        return lease.degraded()
                ? "\"%s-%s\""
                        .formatted(
                                Long.toString(lease.version()),
                                Integer.toHexString(Objects.hashCode(lease.explanation())))
                : of(lease.version());
    }

    /** The tag of a version. */
    public static String of(long version) {
        return "\"" + version + "\"";
    }

    /**
     * The versions of a lease that a caller is willing to change.
     *
     * @param match the value of {@code If-Match}; null when there is none
     * @return null when every version will do; empty when the value names none that a lease can
     *     have
     */
    public static @Nullable Set<Long> versions(@Nullable String match) {
        if (match == null) {
            return null;
        }
        Set<String> tags =
                Arrays.stream(match.split(",", -1)).map(String::strip).collect(toUnmodifiableSet());
        return tags.contains("*")
                ? null
                : tags.stream()
                        .map(VERSION::matcher)
                        .filter(Matcher::matches)
                        .map(tag -> Long.valueOf(tag.group(1)))
                        .collect(toUnmodifiableSet());
    }
}
