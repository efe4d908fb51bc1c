package org.leasehold.query.lease.page;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The statement for a page of a list of leases. It has only the conditions that the list has, so
 * that each list finds its index.
 */
public final class LeasePageQuery {

    /** Returns the length of the longest lease in days, rounded down; null if there is none. */
    public static final String SELECT_LONGEST =
            "SELECT max(extract(day FROM ends - starts)::int) FROM lease";

    /** The statuses of the column {@code needs_attention}. */
    private static final Set<LeaseStatus> NEEDING_ATTENTION =
            EnumSet.of(LeaseStatus.ERROR, LeaseStatus.DELETING);

    // Leases of several kinds are rare, and have an index of their own.
    private static final String OF_ONE_KIND =
            "(CASE WHEN cardinality(kinds) = 1 THEN kinds[1] END) = ?";
    private static final String OF_SEVERAL_KINDS =
            "cardinality(kinds) > 1 AND kinds @> ARRAY[?::text]";

    /** The ways to find the leases of a page. */
    private enum Search {
        /** Reads rows in the order of the list. */
        ROWS,

        /** Finds the sort keys of the page first, by an index alone, and then reads its rows. */
        KEYS,

        /**
         * Finds all leases of the list before it sorts them. Leases of a window, or of a resource,
         * were created about the same time. A statement that goes along the times of creation may
         * read all leases before the first that it wants. The database expects them to be spread
         * evenly.
         */
        COLLECT,

        /**
         * Goes along the times of creation that leases of the window have, and collects the far
         * leases only. A list with another filter finds fewer leases by that filter.
         */
        WALK
    }

    private final ListLeases question;
    private final LeaseOrder.Key key;
    private final LeaseWindow window;
    private final Search search;
    private final Conditions conditions = new Conditions();

    /** The conditions of the search along the times of creation. */
    private final Conditions creation = new Conditions();

    /**
     * Makes the statement.
     *
     * @param longest the length of the longest lease, for a list of a window
     * @param after the sort keys of the last lease before the page; null for the first page
     */
    public LeasePageQuery(ListLeases question, Duration longest, @Nullable List<Object> after) {
        this.question = question;
        this.key = question.order().key();
        LeaseFilter filter = question.filter();
        this.window = new LeaseWindow(filter.startBefore(), filter.endAfter(), longest);
        this.search = chooseSearch();
        addFilter(filter);
        window.addTo(conditions);
        window.addCreationTo(creation);
        if (after != null) {
            String later =
                    "(%s) %s (%s)"
                            .formatted(
                                    String.join(", ", columns(key)),
                                    isAscending() ? ">" : "<",
                                    after.stream().map(_ -> "?").collect(Collectors.joining(", ")));
            conditions.add(later, after.toArray());
            creation.add(later, after.toArray());
        }
    }

    /** Returns the sort keys of a list; the id comes last. */
    public static List<String> columns(LeaseOrder.Key key) {
        return switch (key) {
            case CREATED -> List.of("created_at", "lease_id");
            case START -> List.of("starts", "ends", "lease_id");
            case END -> List.of("ends", "starts", "lease_id");
        };
    }

    private void addFilter(LeaseFilter filter) {
        if (filter.project() != null) {
            conditions.add("project_id = ?", filter.project().value());
        }
        addStatuses(filter.statuses());
        if (filter.name() != null) {
            conditions.add("name = ?", filter.name());
        }
        if (filter.namePrefix() != null) {
            conditions.addPrefix("name", filter.namePrefix());
        }
        if (filter.user() != null) {
            conditions.add("user_id = ?", filter.user().value());
        }
        if (filter.resource() != null) {
            addResource(filter.resource(), filter.project());
        }
    }

    /** Adds statuses. Columns that have an index repeat some of them: most leases have ended. */
    private void addStatuses(Set<LeaseStatus> statuses) {
        if (isOnlyEnded(statuses)) {
            conditions.add("NOT unfinished");
        } else if (!statuses.isEmpty()) {
            conditions.add(
                    "status = ANY (?)",
                    (Object) statuses.stream().map(LeaseStatus::name).toArray(String[]::new));
            if (NEEDING_ATTENTION.containsAll(statuses)) {
                conditions.add("needs_attention");
            } else if (!statuses.contains(LeaseStatus.ENDED)) {
                conditions.add("unfinished");
            }
        }
    }

    private static boolean isOnlyEnded(Set<LeaseStatus> statuses) {
        return statuses.equals(Set.of(LeaseStatus.ENDED));
    }

    /** Adds the bookings of a resource, of one project if the list has only that one. */
    private void addResource(ResourceId resource, @Nullable ProjectId project) {
        String bookings = "SELECT lease_id FROM booking WHERE resource_id = ? AND known_to IS NULL";
        if (project == null) {
            conditions.add("lease_id IN (%s)".formatted(bookings), resource.value());
        } else {
            conditions.add(
                    "lease_id IN (%s AND project_id = ?)".formatted(bookings),
                    resource.value(),
                    project.value());
        }
    }

    /** Returns whether a list has a window. */
    public static boolean hasWindow(LeaseFilter filter) {
        return filter.startBefore() != null || filter.endAfter() != null;
    }

    private boolean isAscending() {
        return question.order().direction() == SortDirection.ASCENDING;
    }

    /** Returns the statement; its rows have the sort keys and the view. */
    public String text() {
        return switch (search) {
            case ROWS ->
                    "SELECT %s, view FROM lease%s%s".formatted(keys(""), conditions.where(), end());
            case KEYS -> readRows(findKeys());
            case COLLECT -> readRows(collect());
            case WALK -> readRows(union(walk(), collect(LeaseWindow.IS_FAR)));
        };
    }

    /** Returns a statement that reads the rows of a page, of which it has the sort keys. */
    private String readRows(String page) {
        return "WITH page AS (%s) SELECT %s, view FROM page JOIN lease USING (lease_id) ORDER BY %s"
                .formatted(page, keys("page."), orderBy("page."));
    }

    /** Returns the values of the statement, in its order. */
    public Object[] values() {
        List<Object> once = new ArrayList<>(conditions.values());
        ResourceKind kind = question.filter().kind();
        if (kind != null) {
            once.add(kind.value());
        }
        List<Object> all = new ArrayList<>();
        if (search == Search.WALK) {
            all.addAll(creation.values());
            all.addAll(once);
        } else if (search == Search.KEYS && kind != null) {
            all.addAll(once);
        }
        all.addAll(once);
        return all.toArray();
    }

    private boolean isOfKind() {
        return question.filter().kind() != null;
    }

    private Search chooseSearch() {
        LeaseFilter filter = question.filter();
        if (key == LeaseOrder.Key.CREATED && window.isGiven()) {
            return hasOtherFilterThanKind() ? Search.COLLECT : Search.WALK;
        }
        if (filter.resource() != null) {
            return Search.COLLECT;
        }
        return isOfKind() || filter.namePrefix() != null || isOnlyEnded(filter.statuses())
                ? Search.KEYS
                : Search.ROWS;
    }

    /** Returns whether another filter than the window and the kind finds few leases. */
    private boolean hasOtherFilterThanKind() {
        LeaseFilter filter = question.filter();
        return !filter.statuses().isEmpty()
                || filter.project() != null
                || filter.name() != null
                || filter.namePrefix() != null
                || filter.user() != null
                || filter.resource() != null;
    }

    /** Returns the search of the sort keys of the page. */
    private String findKeys() {
        String select = "SELECT %s FROM lease".formatted(keys(""));
        return isOfKind()
                ? union(
                        select + conditions.where(OF_ONE_KIND) + end(),
                        select + conditions.where(OF_SEVERAL_KINDS) + end())
                : select + conditions.where() + end();
    }

    private String union(String one, String other) {
        return "SELECT * FROM ((%s) UNION ALL (%s)) AS found%s".formatted(one, other, end());
    }

    /**
     * Returns the search along the times of creation, from an index alone without other filters.
     */
    private String walk() {
        String columns = keys("") + ", starts, ends" + (isOfKind() ? ", kinds" : "");
        // The offset keeps the other conditions out: with them, the database may choose to collect.
        return "SELECT %s FROM (SELECT %s FROM lease%s ORDER BY %s OFFSET 0) AS near%s%s"
                .formatted(
                        keys(""),
                        columns,
                        creation.where(),
                        orderBy(""),
                        where("NOT " + LeaseWindow.IS_FAR),
                        end());
    }

    /** Returns the search of all leases, which are then sorted. */
    private String collect(String... further) {
        // Without the offset, the database may go along the times of creation.
        return "SELECT * FROM (SELECT %s FROM lease%s OFFSET 0) AS found%s"
                .formatted(keys(""), where(further), end());
    }

    private String where(String... further) {
        List<String> all = new ArrayList<>(List.of(further));
        if (isOfKind()) {
            all.add("? = ANY (kinds)");
        }
        return conditions.where(all.toArray(String[]::new));
    }

    /** Returns the columns of the sort keys, each with a prefix such as {@code page.}. */
    private String keys(String prefix) {
        return columns(key).stream()
                .map(column -> prefix + column)
                .collect(Collectors.joining(", "));
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
