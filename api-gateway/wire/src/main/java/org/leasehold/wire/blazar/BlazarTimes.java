package org.leasehold.wire.blazar;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times in Blazar's form, all in UTC: microseconds or seconds. */
public final class BlazarTimes {

    /** Clients fail without the six digits. */
    private static final DateTimeFormatter MICROSECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** The last instant that clients can read: their years have four digits. */
    private static final Instant MAX_INSTANT = Instant.parse("9999-12-31T23:59:59.999999Z");

    private BlazarTimes() {}

    /** Formats an instant; a later one than clients can read becomes the last that they can. */
    public static String formatMicroseconds(Instant instant) {
        return MICROSECONDS.format(isReadable(instant) ? instant : MAX_INSTANT);
    }

    /** Returns whether clients can read an instant; cleaning may end later. */
    public static boolean isReadable(Instant instant) {
        return !instant.isAfter(MAX_INSTANT);
    }

    public static @Nullable String formatSeconds(@Nullable Instant instant) {
        return instant == null ? null : SECONDS.format(instant);
    }
}
