package org.leasehold.query.audit;

import org.leasehold.query.AuditTrail.Filter;

import java.util.ArrayList;
import java.util.List;

/**
 * What an event has to be about.
 *
 * @param sort as in the table of subjects; {@link #LEASE} for a lease, which is not in there
 */
record Condition(String sort, String subject) {

    private static final String LEASE = "lease";

    /** Those of a filter; what is about the fewest events comes first, as a rule. */
    static List<Condition> of(Filter filter) {
        List<Condition> conditions = new ArrayList<>();
        if (filter.lease() != null) {
            conditions.add(new Condition(LEASE, filter.lease().toString()));
        }
        if (filter.requestId() != null) {
            conditions.add(new Condition("request", filter.requestId()));
        }
        if (filter.resource() != null) {
            conditions.add(new Condition("resource", filter.resource().toString()));
        }
        if (filter.user() != null) {
            conditions.add(new Condition("user", filter.user()));
        }
        if (filter.project() != null) {
            conditions.add(new Condition("project", filter.project()));
        }
        if (filter.type() != null) {
            conditions.add(new Condition("type", filter.type()));
        }
        if (filter.kind() != null) {
            conditions.add(new Condition("kind", filter.kind().value()));
        }
        return conditions;
    }

    boolean isLease() {
        return sort.equals(LEASE);
    }
}
