package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/** The conditions of a query for bookings; only those that it has, so that each finds its index. */
final class BookingConditions {

    private final StringBuilder text = new StringBuilder("starts < :to AND ends > :from");
    private final Map<String, @Nullable Object> values = new HashMap<>();

    /**
     * Creates those that all queries have in common.
     *
     * @param from exclusive, of ends
     * @param to exclusive, of starts
     * @param asOf the position of the last event to include; null for what is known now
     */
    BookingConditions(Filter filter, Instant from, Instant to, @Nullable Long asOf) {
        setParameter("from", from.atOffset(ZoneOffset.UTC));
        setParameter("to", to.atOffset(ZoneOffset.UTC));
        if (asOf == null) {
            text.append(" AND known_to IS NULL");
        } else {
            addCondition("known_from <= :as_of", "as_of", asOf);
            text.append(" AND (known_to IS NULL OR known_to > :as_of)");
        }
        if (filter.resource() != null) {
            addCondition("resource_id = :resource", "resource", filter.resource().value());
        }
        if (filter.kind() != null) {
            addCondition("kind = :kind", "kind", filter.kind().value());
        }
        if (filter.lease() != null) {
            addCondition("lease_id = :lease", "lease", filter.lease().value());
        }
        if (filter.project() != null) {
            addCondition("project_id = :project", "project", filter.project().value());
        }
    }

    void addCondition(String condition, String name, Object value) {
        addCondition(condition);
        setParameter(name, value);
    }

    void addCondition(String condition) {
        text.append(" AND ").append(condition);
    }

    void setParameter(String name, @Nullable Object value) {
        values.put(name, value);
    }

    Map<String, @Nullable Object> values() {
        return values;
    }

    /** Returns the text for a {@code WHERE}. */
    @Override
    public String toString() {
        return text.toString();
    }
}
