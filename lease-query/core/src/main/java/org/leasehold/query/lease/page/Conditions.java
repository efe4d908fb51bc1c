package org.leasehold.query.lease.page;

import java.util.ArrayList;
import java.util.List;

/** The conditions of a statement, with their values. All of them hold for each row. */
final class Conditions {

    private final List<String> terms = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    void add(String term, Object... operands) {
        terms.add(term);
        values.addAll(List.of(operands));
    }

    /**
     * Adds the beginning of a text as a range: unlike a pattern, it needs no escapes, and always
     * finds the index.
     */
    void addPrefix(String column, String prefix) {
        add(column + " >= ?", prefix);
        // The collation compares code points. The last one has no successor, and a surrogate is no
        // text: the range ends after the code points before it.
        int last = prefix.codePointBefore(prefix.length());
        if (last < Character.MAX_CODE_POINT) {
            int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
            int before = prefix.length() - Character.charCount(last);
            add(column + " < ?", prefix.substring(0, before) + Character.toString(next));
        } else {
            add("starts_with(%s, ?)".formatted(column), prefix);
        }
    }

    /** Returns the clause, with further conditions, whose values come after these. */
    String where(String... further) {
        List<String> all = new ArrayList<>(terms);
        all.addAll(List.of(further));
        return all.isEmpty() ? "" : " WHERE " + String.join(" AND ", all);
    }

    List<Object> values() {
        return List.copyOf(values);
    }
}
