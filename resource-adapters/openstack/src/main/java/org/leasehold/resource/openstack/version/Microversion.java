package org.leasehold.resource.openstack.version;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A microversion of a service's API, such as 2.100, which is newer than 2.53. */
public record Microversion(int major, int minor) implements Comparable<Microversion> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

    private static final Comparator<Microversion> BY_AGE =
            Comparator.comparingInt(Microversion::major).thenComparingInt(Microversion::minor);

    /**
     * Returns the microversion of a text.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static Microversion of(String text) {
        return parse(text)
                .orElseThrow(() -> new IllegalArgumentException("no microversion: " + text));
    }

    /** Returns the microversion of a text; empty if the text has another form. */
    public static Optional<Microversion> parse(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches()
                ? Optional.of(
                        new Microversion(
                                Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(Microversion other) {
        return BY_AGE.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
