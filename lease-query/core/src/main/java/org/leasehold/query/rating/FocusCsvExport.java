package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.readmodel.usage.FocusExport;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The export of charges, page after page, as CSV with quotes where needed. */
final class FocusCsvExport implements FocusExport {

    private static final String END_OF_LINE = "\r\n";

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
        return Arrays.stream(FocusColumn.values())
                .map(column -> field(cells.apply(column)))
                .collect(Collectors.joining(",", "", END_OF_LINE));
    }

    /** Returns a field; null is empty, which is unique because FOCUS has no empty texts. */
    private static String field(@Nullable String value) {
        if (value == null) {
            return "";
        }
        boolean plain =
                value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
