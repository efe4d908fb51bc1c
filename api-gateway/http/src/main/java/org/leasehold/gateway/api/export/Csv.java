package org.leasehold.gateway.api.export;

import static java.util.stream.Collectors.joining;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.audit.AuditTrail;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lines of comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula
 * gets an apostrophe in front, as users write some of the texts.
 */
public final class Csv {

    private static final Pattern FORMULA =
            Pattern.compile("[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20].*", Pattern.DOTALL);
    private static final Pattern QUOTED_CHARACTERS = Pattern.compile("[\",\\r\\n]");

    private Csv() {}

    /**
     * Returns a line with its line break.
     *
     * @param cells in order; null becomes an empty one
     */
    public static String line(Stream<@Nullable String> cells) {
        return cells.map(value -> value == null ? "" : escapeCell(value))
                .collect(joining(",", "", "\r\n"));
    }

    public static String escapeCell(String value) {
        String harmless =
                FORMULA.matcher(value).matches() && !value.equals(AuditTrail.NO_PROJECT)
                        ? "'" + value
                        : value;
        return QUOTED_CHARACTERS.matcher(harmless).find()
                ? "\"" + harmless.replace("\"", "\"\"") + "\""
                : harmless;
    }
}
