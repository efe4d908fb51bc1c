package org.leasehold.gateway.ical;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Lines of an iCalendar file. A line has at most 75 octets; it continues on the next line, which
 * begins with a space. No character is cut in two.
 */
final class IcalWriter {

    private static final int MAX_LINE_OCTETS = 75;
    private static final String LINE_BREAK = "\r\n";
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final StringBuilder text = new StringBuilder();

    IcalWriter begin(String component) {
        return value("BEGIN", component);
    }

    IcalWriter end(String component) {
        return value("END", component);
    }

    /** Adds a line whose value has no special character, or has it on purpose. */
    IcalWriter value(String name, String value) {
        writeFolded(name + ":" + value);
        return this;
    }

    /** Adds a time to the second; smaller units are cut off. */
    IcalWriter instant(String name, Instant instant) {
        return value(name, UTC.format(instant));
    }

    /** Adds any text of a user. */
    IcalWriter text(String name, String written) {
        return value(name, escapeText(written));
    }

    IcalWriter texts(String name, Collection<String> written) {
        return value(
                name,
                written.stream().map(IcalWriter::escapeText).collect(Collectors.joining(",")));
    }

    private static String escapeText(String written) {
        StringBuilder escaped = new StringBuilder(written.length());
        written.replace(LINE_BREAK, "\n").codePoints().forEach(c -> appendEscaped(c, escaped));
        return escaped.toString();
    }

    private static void appendEscaped(int c, StringBuilder escaped) {
        switch (c) {
            case '\\', ';', ',' -> escaped.append('\\').appendCodePoint(c);
            case '\n', '\r' -> escaped.append("\\n");
            case '\t' -> escaped.append('\t');
            default -> {
                // The format cannot express any other control character.
                if (!Character.isISOControl(c)) {
                    escaped.appendCodePoint(c);
                }
            }
        }
    }

    private void writeFolded(String line) {
        int octets = 0;
        for (int i = 0; i < line.length(); ) {
            int c = line.codePointAt(i);
            int more = Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
            if (octets + more > MAX_LINE_OCTETS) {
                text.append(LINE_BREAK).append(' ');
                octets = 1;
            }
            text.appendCodePoint(c);
            octets += more;
            i += Character.charCount(c);
        }
        text.append(LINE_BREAK);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
