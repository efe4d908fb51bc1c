package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.readmodel.usage.FocusExport;

import tools.jackson.databind.ObjectWriter;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;
import tools.jackson.dataformat.csv.CsvWriteFeature;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The export of charges, page after page, as CSV with quotes where needed. A null value is an empty
 * field, which is unique because FOCUS has no empty texts.
 */
final class FocusCsvExport implements FocusExport {

    /** Quotes only where needed; otherwise Jackson also quotes each long text. */
    private static final ObjectWriter ROW =
            CsvMapper.builder()
                    .enable(CsvWriteFeature.STRICT_CHECK_FOR_QUOTING)
                    .build()
                    .writer(CsvSchema.emptySchema().withLineSeparator("\r\n"));

    private final Charges charges;

    FocusCsvExport(Charges charges) {
        this.charges = charges;
    }

    @Override
    public void write(
            @Nullable ListCharges question,
            String provider,
            UnaryOperator<Charge> seen,
            Appendable csv)
            throws IOException {
        csv.append(line(FocusColumn::id));
        ListCharges rest = question;
        while (rest != null) {
            Page<LeaseCharges> page = charges.page(rest);
            for (LeaseCharges lease : page.items()) {
                for (Charge charge : lease.charges()) {
                    Map<FocusColumn, String> row = FocusRow.of(lease, seen.apply(charge), provider);
                    csv.append(line(row::get));
                }
            }
            String next = page.next();
            rest = next == null ? null : rest.after(next);
        }
    }

    private static String line(Function<FocusColumn, @Nullable String> cells) {
        return ROW.writeValueAsString(
                Arrays.stream(FocusColumn.values())
                        .map(cells)
                        .map(cell -> Objects.requireNonNullElse(cell, ""))
                        .toList());
    }
}
