package org.leasehold.query.rating;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A list of rules of FOCUS; a subclass adds the rules of one topic. */
abstract class FocusRuleList {

    private final List<FocusRules.Rule> rules = new ArrayList<>();

    final List<FocusRules.Rule> rules() {
        return List.copyOf(rules);
    }

    final void add(FocusRules.Rule rule) {
        rules.add(rule);
    }

    final void row(
            String section,
            String says,
            Predicate<Map<String, String>> holds,
            Consumer<Map<String, String>> breaks) {
        row(section, says, holds, breaks, "Usage");
    }

    /** Adds a rule of each row, which a row of a category can break. */
    final void row(
            String section,
            String says,
            Predicate<Map<String, String>> holds,
            Consumer<Map<String, String>> breaks,
            String category) {
        add(
                new FocusRules.Rule(
                        section,
                        says,
                        sheet -> sheet.rows().stream().allMatch(row -> holds.test(row)),
                        sheet -> breaks.accept(sheet.first(category))));
    }

    /** Returns the number, or 0 for an invalid one, which another rule reports. */
    static BigDecimal decimal(Map<String, String> row, String column) {
        String value = row.get(column);
        return value == null || !FocusType.DECIMAL.fits().test(value)
                ? BigDecimal.ZERO
                : new BigDecimal(value);
    }

    static boolean is(Map<String, String> row, String category) {
        return category.equals(row.get("ChargeCategory"));
    }
}
