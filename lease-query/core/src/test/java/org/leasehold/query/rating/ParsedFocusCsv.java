package org.leasehold.query.rating;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A table as a tool reads it.
 *
 * @param columns their names, in order
 * @param rows the values by column; null values are absent
 */
record ParsedFocusCsv(List<String> columns, List<Map<String, String>> rows) {

    /**
     * Parses RFC 4180 only.
     *
     * @throws AssertionError if it is something else
     */
    static ParsedFocusCsv of(String csv) {
        Iterator<List<String>> lines = new Reader(csv).lines().iterator();
        List<String> columns = lines.next();
        List<Map<String, String>> rows = new ArrayList<>();
        lines.forEachRemaining(
                line -> {
                    if (line.size() != columns.size()) {
                        throw new AssertionError(columns.size() + " columns, and " + line);
                    }
                    Map<String, String> row = new HashMap<>();
                    for (int i = 0; i < columns.size(); i++) {
                        if (!line.get(i).isEmpty()) {
                            row.put(columns.get(i), line.get(i));
                        }
                    }
                    rows.add(row);
                });
        return new ParsedFocusCsv(columns, rows);
    }

    /** Returns a copy to change. */
    ParsedFocusCsv copy() {
        return new ParsedFocusCsv(
                new ArrayList<>(columns),
                new ArrayList<>(rows.stream().<Map<String, String>>map(HashMap::new).toList()));
    }

    List<Map<String, String>> rows(String category) {
        return rows.stream().filter(row -> category.equals(row.get("ChargeCategory"))).toList();
    }

    Map<String, String> first(String category) {
        return rows(category).getFirst();
    }

    private static final class Reader {

        private final String csv;
        private int at;

        Reader(String csv) {
            this.csv = csv;
        }

        List<List<String>> lines() {
            List<List<String>> lines = new ArrayList<>();
            while (at < csv.length()) {
                List<String> line = new ArrayList<>();
                line.add(field());
                while (skips(",")) {
                    line.add(field());
                }
                if (!skips("\r\n")) {
                    throw new AssertionError("no end of a line at " + csv.substring(at));
                }
                lines.add(line);
            }
            return lines;
        }

        private boolean skips(String what) {
            boolean there = csv.startsWith(what, at);
            at += there ? what.length() : 0;
            return there;
        }

        private String field() {
            return skips("\"") ? quoted() : plain();
        }

        private String plain() {
            int begin = at;
            while (at < csv.length() && ",\r\n\"".indexOf(csv.charAt(at)) < 0) {
                at++;
            }
            return csv.substring(begin, at);
        }

        private String quoted() {
            StringBuilder field = new StringBuilder();
            boolean open = true;
            while (open) {
                if (skips("\"\"")) {
                    field.append('"');
                } else if (skips("\"")) {
                    open = false;
                } else {
                    field.append(csv.charAt(at));
                    at++;
                }
            }
            return field.toString();
        }
    }
}
