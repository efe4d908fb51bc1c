package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statement for a page of a list of leases. It has only the conditions that the list has, so
 * that each list finds its index.
 */
final class LeasePageQuery {

    /** Returns the length of the longest lease in days, rounded down; null if there is none. */
    static final String SELECT_LONGEST =
            "SELECT max(extract(day FROM ends - starts)::int) FROM lease";

    // Leases of several kinds are rare, and have an index of their own.
    private static final String OF_ONE_KIND =
            "(CASE WHEN cardinality(kinds) = 1 THEN kinds[1] END) = ?";
    private static final String OF_SEVERAL_KINDS =
            "cardinality(kinds) > 1 AND kinds @> ARRAY[?::text]";

    private final ListLeases question;
    private final LeaseOrder.Key key;
    private final List<String> terms = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    /**
     * Makes the statement.
     *
     * @param longest the length of the longest lease, for a list of a window
     * @param after the sort keys of the last lease before the page; null for the first page
     */
    LeasePageQuery(ListLeases question, Duration longest, @Nullable List<Object> after) {
        this.question = question;
        this.key = question.order().key();
        addFilter(question.filter());
        addWindow(question.filter(), longest);
        if (after != null) {
            and(
                    "(%s) %s (%s)"
                            .formatted(
                                    String.join(", ", columns(key)),
                                    isAscending() ? ">" : "<",
                                    after.stream().map(_ -> "?").collect(Collectors.joining(", "))),
                    after.toArray());
        }
    }

    /** Returns the sort keys of a list; the id comes last. */
    static List<String> columns(LeaseOrder.Key key) {
        return switch (key) {
            case CREATED -> List.of("created_at", "lease_id");
            case START -> List.of("starts", "ends", "lease_id");
            case END -> List.of("ends", "starts", "lease_id");
        };
    }

    private void addFilter(LeaseFilter filter) {
        if (filter.project() != null) {
            and("project_id = ?", filter.project().value());
        }
        if (!filter.statuses().isEmpty()) {
            String[] statuses =
                    filter.statuses().stream().map(LeaseStatus::name).toArray(String[]::new);
            and("status = ANY (?)", (Object) statuses);
            if (!filter.statuses().contains(LeaseStatus.ENDED)) {
                // It follows from that condition, and has an index: most leases have ended.
                and("unfinished");
            }
        }
        if (filter.name() != null) {
            and("name = ?", filter.name());
        }
        if (filter.namePrefix() != null) {
            addPrefix(filter.namePrefix());
        }
        if (filter.user() != null) {
            and("user_id = ?", filter.user().value());
        }
        if (filter.resource() != null) {
            addResource(filter.resource(), filter.project());
        }
    }

    /** Adds the bookings of a resource, of one project if the list has only that one. */
    private void addResource(ResourceId resource, @Nullable ProjectId project) {
        String bookings = "SELECT lease_id FROM booking WHERE resource_id = ? AND known_to IS NULL";
        if (project == null) {
            and("lease_id IN (%s)".formatted(bookings), resource.value());
        } else {
            and(
                    "lease_id IN (%s AND project_id = ?)".formatted(bookings),
                    resource.value(),
                    project.value());
        }
    }

    /**
     * Adds the window. The other end of a lease follows from the length of the longest one. Without
     * it, an index leads to all leases before the window, or to all after it.
     */
    private void addWindow(LeaseFilter filter, Duration longest) {
        if (filter.startBefore() != null) {
            and(
                    "starts < ? AND ends <= ?",
                    column(filter.startBefore()),
                    column(filter.startBefore().plus(longest)));
        }
        if (filter.endAfter() != null) {
            and(
                    "ends > ? AND starts >= ?",
                    column(filter.endAfter()),
                    column(filter.endAfter().minus(longest)));
        }
    }

    /** Returns whether a list has a window. */
    static boolean hasWindow(LeaseFilter filter) {
        return filter.startBefore() != null || filter.endAfter() != null;
    }

    /** Adds a range of names: unlike a pattern, it needs no escapes, and always finds the index. */
    private void addPrefix(String prefix) {
        and("name >= ?", prefix);
        // The collation compares code points. The last one has no successor, and a surrogate is no
        // text: the range ends after the code points before it.
        int last = prefix.codePointBefore(prefix.length());
        if (last < Character.MAX_CODE_POINT) {
            int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
            int before = prefix.length() - Character.charCount(last);
            and("name < ?", prefix.substring(0, before) + Character.toString(next));
        } else {
            and("starts_with(name, ?)", prefix);
        }
    }

    private void and(String term, Object... operands) {
        terms.add(term);
        values.addAll(List.of(operands));
    }

    static Object column(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private boolean isAscending() {
        return question.order().direction() == SortDirection.ASCENDING;
    }

    /** Returns the statement; its rows have the sort keys and the view. */
    String text() {
        if (collectsFirst()) {
            return collectedText();
        }
        return question.filter().kind() == null
                ? rows(conditions()) + end()
                : "SELECT * FROM ((%s) UNION ALL (%s)) AS lease%s"
                        .formatted(
                                rows(conditions(OF_ONE_KIND)) + end(),
                                rows(conditions(OF_SEVERAL_KINDS)) + end(),
                                end());
    }

    Object[] values() {
        List<Object> all = new ArrayList<>(values);
        if (question.filter().kind() != null) {
            String kind = question.filter().kind().value();
            all.add(kind);
            if (!collectsFirst()) {
                all.addAll(values);
                all.add(kind);
            }
        }
        return all.toArray();
    }

    /**
     * Returns whether all leases of the list are found before they are sorted. Leases of a window,
     * or of a resource, were created about the same time. So a statement that goes along the times
     * of creation may read all leases before the first that it wants, and the database expects them
     * to be spread evenly.
     */
    private boolean collectsFirst() {
        LeaseFilter filter = question.filter();
        return filter.resource() != null || (key == LeaseOrder.Key.CREATED && hasWindow(filter));
    }

    private String collectedText() {
        String where =
                question.filter().kind() == null ? conditions() : conditions("? = ANY (kinds)");
        String keys = String.join(", ", columns(key));
        return """
        WITH found AS MATERIALIZED (SELECT %1$s FROM lease%2$s),
            page AS (SELECT * FROM found%3$s)
        SELECT %4$s, view FROM page JOIN lease USING (lease_id) ORDER BY %5$s\
        """
                .formatted(
                        keys,
                        where,
                        end(),
                        columns(key).stream()
                                .map(column -> "page." + column)
                                .collect(Collectors.joining(", ")),
                        orderBy("page."));
    }

    private String rows(String conditions) {
        return "SELECT %s, view FROM lease%s"
                .formatted(String.join(", ", columns(key)), conditions);
    }

    private String conditions(String... further) {
        List<String> all = new ArrayList<>(terms);
        all.addAll(List.of(further));
        return all.isEmpty() ? "" : " WHERE " + String.join(" AND ", all);
    }

    /** Returns the order and the limit: one lease more shows whether there is a next page. */
    private String end() {
        return " ORDER BY %s LIMIT %s".formatted(orderBy(""), question.limit() + 1);
    }

    private String orderBy(String table) {
        return columns(key).stream()
                .map(column -> table + column + (isAscending() ? "" : " DESC"))
                .collect(Collectors.joining(", "));
    }
}
