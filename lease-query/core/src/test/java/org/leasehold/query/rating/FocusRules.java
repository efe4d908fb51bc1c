package org.leasehold.query.rating;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rules of FOCUS 1.2 for a table of costs and usage, as far as a table shows them. Each rule
 * has its place in the specification: the id in its requirements model. The first is of the
 * dataset, where that requires a column; attributes have an A. The rules are in our own words.
 * Where the model's conditions differ from the specification's text, they follow the text.
 *
 * <p>Left out are rules that no table shows (whether a name is usual, changes from one month to the
 * next, invoices). So are rules about commitment discounts, of which there are none.
 */
final class FocusRules {

    private static final List<Rule> ALL =
            Stream.of(new FocusColumnRules(), new FocusChargeRules())
                    .flatMap(topic -> topic.rules().stream())
                    .toList();

    private FocusRules() {}

    static List<Rule> all() {
        return ALL;
    }

    /** Returns the rules that a table breaks. */
    static List<String> broken(ParsedFocusCsv sheet) {
        return ALL.stream()
                .filter(rule -> !rule.holds().test(sheet))
                .map(rule -> rule.section() + ": " + rule.says())
                .toList();
    }

    /**
     * A rule.
     *
     * @param section its place in the specification
     * @param breaks makes a valid table break it
     */
    record Rule(
            String section,
            String says,
            Predicate<ParsedFocusCsv> holds,
            Consumer<ParsedFocusCsv> breaks) {

        @Override
        public String toString() {
            return section + ": " + says;
        }
    }
}
