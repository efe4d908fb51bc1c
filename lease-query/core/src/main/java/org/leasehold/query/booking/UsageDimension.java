package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.usage.Usages;

import java.util.List;
import java.util.UUID;

/**
 * A dimension that splits usage.
 *
 * @param column the column with the values in the relation of usage: {@code value} or {@code other}
 * @param expression the value in terms of a booking {@code b} and of a state {@code m} of a
 *     resource
 * @param type of the values, by the database's name
 * @param property the name of the property; null if it is none
 */
record UsageDimension(String column, String expression, String type, @Nullable String property) {

    private static final String TEXT = "text";

    /** Returns the dimensions of a query; one without values if it has no split. */
    static List<UsageDimension> of(List<String> by) {
        return switch (by.size()) {
            case 0 -> List.of(new UsageDimension("value", "NULL::text", TEXT, null));
            case 1 -> List.of(of("value", by.getFirst()));
            default -> List.of(of("value", by.getFirst()), of("other", by.getLast()));
        };
    }

    private static UsageDimension of(String column, String by) {
        return switch (by) {
            case Usages.BY_LEASE -> new UsageDimension(column, "b.lease_id", "uuid", null);
            case Usages.BY_PROJECT -> new UsageDimension(column, "b.project_id", TEXT, null);
            case Usages.BY_RESOURCE -> new UsageDimension(column, "b.resource_id", "bigint", null);
            case Usages.BY_ZONE -> new UsageDimension(column, "m.zone", TEXT, null);
            default ->
                    new UsageDimension(
                            column, "m.properties ->> :%s_by".formatted(column), TEXT, by);
        };
    }

    /** Returns whether the value changes with the state of the resource. */
    boolean needsState() {
        return expression.startsWith("m.");
    }

    void addParameters(BookingConditions conditions) {
        if (property != null) {
            conditions.setParameter(column + "_by", property);
        }
    }

    /** Returns the order; numbers and ids are not converted, so that an index finds pages. */
    String order() {
        return isText() ? "%1$s IS NULL, coalesce(%1$s, '')".formatted(column) : column;
    }

    /** Adds the last value of a page, and returns the parameters in the form of the order. */
    String lastParameters(@Nullable String last, BookingConditions conditions) {
        if (isText()) {
            conditions.setParameter("lacks_" + column, last == null);
            conditions.setParameter("last_" + column, last == null ? "" : last);
            return ":lacks_%1$s, :last_%1$s".formatted(column);
        }
        conditions.setParameter("last_" + column, toColumnType(last));
        return ":last_" + column;
    }

    private Object toColumnType(@Nullable String value) {
        if (value == null) {
            throw new IllegalArgumentException("a marker of something else");
        }
        return type.equals("uuid") ? UUID.fromString(value) : (Object) Long.valueOf(value);
    }

    private boolean isText() {
        return type.equals(TEXT);
    }
}
