package org.leasehold.query.audit;

import static java.util.stream.Collectors.joining;

import org.leasehold.inventory.ResourceId;
import org.leasehold.query.audit.AuditCondition.About;
import org.leasehold.query.audit.AuditCondition.OfLease;
import org.leasehold.readmodel.audit.AuditTrail.Filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The conditions on an event; the first one is scanned. */
record AuditConditions(List<AuditCondition> all) {

    /**
     * Returns those of a filter, except addresses; the one with the fewest events is usually first.
     */
    static List<AuditCondition> of(Filter filter) {
        List<AuditCondition> conditions = new ArrayList<>();
        Set<ResourceId> resources = filter.resources();
        if (filter.lease() != null) {
            conditions.add(new OfLease(filter.lease()));
        }
        if (filter.requestId() != null) {
            conditions.add(about("request", filter.requestId()));
        }
        if (resources != null) {
            conditions.add(
                    new About(
                            "resource",
                            resources.stream().map(Object::toString).sorted().toList()));
        }
        if (filter.user() != null) {
            conditions.add(about("user", filter.user()));
        }
        if (filter.project() != null) {
            conditions.add(about("project", filter.project()));
        }
        if (filter.type() != null) {
            conditions.add(about("type", filter.type()));
        }
        if (filter.kind() != null) {
            conditions.add(about("kind", filter.kind().value()));
        }
        return conditions;
    }

    private static About about(String sort, String subject) {
        return new About(sort, List.of(subject));
    }

    boolean isOne() {
        return all.size() == 1;
    }

    /** Returns the statement that scans the first condition and tests the others. */
    String searchSql(int limit) {
        String others =
                isOne()
                        ? "true"
                        : IntStream.range(1, all.size())
                                .mapToObj(number -> all.get(number).testSql(number))
                                .collect(joining(" AND "));
        return "SELECT position, %s AS matches FROM (%s) walked ORDER BY position DESC"
                .formatted(others, all.getFirst().scanSql(0, limit));
    }

    Map<String, Object> parameters(PositionRange stretch) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("after", stretch.after());
        parameters.put("before", stretch.before());
        for (int number = 0; number < all.size(); number++) {
            parameters.putAll(all.get(number).parameters(number));
        }
        return parameters;
    }
}
