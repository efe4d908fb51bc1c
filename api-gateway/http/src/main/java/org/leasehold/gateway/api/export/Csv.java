package org.leasehold.gateway.api.export;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.audit.AuditTrail;

import tools.jackson.databind.ObjectWriter;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;
import tools.jackson.dataformat.csv.CsvWriteFeature;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lines of comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula
 * gets an apostrophe in front, as users write some of the texts.
 */
public final class Csv {

    private static final Pattern FORMULA =
            Pattern.compile("[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20].*", Pattern.DOTALL);

    /** Quotes only where needed; otherwise Jackson also quotes each long text. */
    private static final ObjectWriter ROW =
            CsvMapper.builder()
                    .enable(CsvWriteFeature.STRICT_CHECK_FOR_QUOTING)
                    .build()
                    .writer(CsvSchema.emptySchema().withLineSeparator("\r\n"));

    private Csv() {}

    /**
     * Returns a line with its line break.
     *
     * @param cells in order; null becomes an empty one
     */
    public static String line(Stream<@Nullable String> cells) {
        return ROW.writeValueAsString(
                cells.map(value -> value == null ? "" : escapeFormula(value)).toList());
    }

    private static String escapeFormula(String value) {
        return FORMULA.matcher(value).matches() && !value.equals(AuditTrail.NO_PROJECT)
                ? "'" + value
                : value;
    }
}
