package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of the cloud, the engine's login, and limits.
 *
 * @param authUrl Keystone's version 3
 * @param region the only one if null
 * @param connectTimeout for a connection to a service
 * @param callTimeout for a whole call, to the last byte of the response
 * @param maxCalls the concurrency limit for one service; other calls wait
 * @param notifications RabbitMQ's address, with user and password; null without notifications
 */
public record CloudSettings(
        URI authUrl,
        String user,
        String password,
        String project,
        String userDomain,
        String projectDomain,
        @Nullable String region,
        Facing facing,
        Duration connectTimeout,
        Duration callTimeout,
        int maxCalls,
        @Nullable URI notifications) {

    private static final String NOTIFICATIONS = "notifications.url";
    private static final List<String> NAMES =
            List.of(
                    "auth-url",
                    "user",
                    "password",
                    "project",
                    "user-domain",
                    "project-domain",
                    "region",
                    "interface",
                    "connect-timeout",
                    "call-timeout",
                    "most-calls",
                    NOTIFICATIONS);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
    private static final int MAX_CALLS = 1_000;

    /** The kind of a service's address; the catalog calls it the interface. */
    public enum Facing {
        PUBLIC,
        INTERNAL,
        ADMIN;

        /** Returns the catalog's word. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads settings by their names.
     *
     * @throws IllegalArgumentException if one is unknown, missing or invalid; names it
     */
    public static CloudSettings of(Map<String, String> settings) {
        Map<String, String> given = known(settings);
        return new CloudSettings(
                authUrl(required(given, "auth-url")),
                required(given, "user"),
                required(given, "password"),
                required(given, "project"),
                given.getOrDefault("user-domain", "Default"),
                given.getOrDefault("project-domain", "Default"),
                given.get("region"),
                facing(given.getOrDefault("interface", "public")),
                duration("connect-timeout", given.getOrDefault("connect-timeout", "5s")),
                duration("call-timeout", given.getOrDefault("call-timeout", "60s")),
                maxCalls(given.getOrDefault("most-calls", "16")),
                notifications(given.get(NOTIFICATIONS)));
    }

    /** Ignores dashes in names, because environment variables have none. */
    private static Map<String, String> known(Map<String, String> settings) {
        Map<String, String> given = new HashMap<>();
        SortedSet<String> unknown = new TreeSet<>();
        settings.forEach(
                (name, value) ->
                        NAMES.stream()
                                .filter(known -> plain(known).equals(plain(name)))
                                .findFirst()
                                .ifPresentOrElse(
                                        known -> given.put(known, value), () -> unknown.add(name)));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown settings: " + unknown);
        }
        return given;
    }

    private static String plain(String name) {
        return name.replaceAll("[-._]", "").toLowerCase(Locale.ROOT);
    }

    private static String required(Map<String, String> settings, String name) {
        String value = settings.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("the setting " + name + " is missing");
        }
        return value;
    }

    private static URI authUrl(String value) {
        String plain = value.replaceAll("/+$", "");
        try {
            URI url = URI.create(plain.endsWith("/v3") ? plain : plain + "/v3");
            if (List.of("http", "https").contains(Objects.toString(url.getScheme()))
                    && url.getHost() != null) {
                return url;
            }
        } catch (IllegalArgumentException noAddress) {
            // Rejected below, like every other value that is no address.
        }
        throw new IllegalArgumentException(
                "the setting auth-url is Keystone's address, such as https://cloud:5000/v3, not "
                        + value);
    }

    private static Facing facing(String value) {
        return Arrays.stream(Facing.values())
                .filter(facing -> facing.word().equals(value))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "the setting interface is public, internal or admin, not "
                                                + value));
    }

    private static Duration duration(String name, String value) {
        Duration duration = Duration.ZERO;
        Matcher simple = DURATION.matcher(value);
        if (simple.matches()) {
            long amount = Long.parseLong(simple.group(1));
            duration =
                    switch (simple.group(2)) {
                        case "ms" -> Duration.ofMillis(amount);
                        case "s" -> Duration.ofSeconds(amount);
                        default -> Duration.ofMinutes(amount);
                    };
        } else {
            try {
                duration = Duration.parse(value);
            } catch (DateTimeParseException noDuration) {
                // Rejected below, like a duration that is not positive.
            }
        }
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(
                    "the setting " + name + " is a duration such as 30s, not " + value);
        }
        return duration;
    }

    private static int maxCalls(String value) {
        try {
            int calls = Integer.parseInt(value);
            if (calls > 0 && calls <= MAX_CALLS) {
                return calls;
            }
        } catch (NumberFormatException noNumber) {
            // Rejected below, like a number that is too small or too large.
        }
        throw new IllegalArgumentException(
                "the setting most-calls is a number from 1 to " + MAX_CALLS + ", not " + value);
    }

    private static @Nullable URI notifications(@Nullable String value) {
        try {
            return value == null ? null : new URI(value);
        } catch (URISyntaxException noAddress) {
            // Neither it nor its message is repeated: they contain the password.
            throw new IllegalArgumentException("the setting " + NOTIFICATIONS + " is no address");
        }
    }

    /** Omits the password, because settings end up in logs. */
    @Override
    public String toString() {
        return "CloudSettings[%s of %s in %s at %s]".formatted(user, userDomain, project, authUrl);
    }
}
