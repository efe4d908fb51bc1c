package org.leasehold.query.audit;

import org.leasehold.query.origin.OriginSql;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.vocabulary.LeaseId;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A condition on events. */
sealed interface AuditCondition {

    /**
     * Returns the statement that scans the matching positions, after and before others, newest
     * first; the names of its parameters end with a number.
     */
    String scanSql(int number, int limit);

    /** Returns the test of the event {@code walked}, not a join, which the planner could turn. */
    String testSql(int number);

    Map<String, Object> parameters(int number);

    /** A condition that any event meets. */
    record Anything() implements AuditCondition {

        @Override
        public String scanSql(int number, int limit) {
            return "SELECT position FROM domain_event WHERE %s ORDER BY position DESC LIMIT %s"
                    .formatted(WITHIN_RANGE, limit);
        }

        @Override
        public String testSql(int number) {
            return "true";
        }

        @Override
        public Map<String, Object> parameters(int number) {
            return Map.of();
        }
    }

    /**
     * The condition that an event is of a lease. It has few, and its own index returns them in this
     * order, too. The observed use has its own streams, one for each booked resource.
     */
    record OfLease(LeaseId lease) implements AuditCondition {

        @Override
        public String scanSql(int number, int limit) {
            return """
            SELECT position FROM (
                (SELECT position FROM domain_event
                 WHERE stream_id = :lease%1$s AND stream_type = 'Lease' AND %2$s
                 ORDER BY sequence DESC LIMIT %3$s)
                UNION ALL
                SELECT used.position FROM (
                    SELECT DISTINCT reservation_id || '/' || resource_id AS stream
                    FROM booking WHERE lease_id = CAST(:lease%1$s AS uuid)) uses, LATERAL (
                        SELECT position FROM domain_event
                        WHERE stream_id = uses.stream AND stream_type = 'Use' AND %2$s
                        ORDER BY sequence DESC LIMIT %3$s) used) of_lease
            ORDER BY position DESC LIMIT %3$s
            """
                    .formatted(number, WITHIN_RANGE, limit);
        }

        @Override
        public String testSql(int number) {
            throw new UnsupportedOperationException("nothing is rarer than the events of a lease");
        }

        @Override
        public Map<String, Object> parameters(int number) {
            return Map.of("lease" + number, lease.toString());
        }
    }

    /**
     * The condition that an event is about one of several subjects of a sort.
     *
     * @param sort as in the table of subjects
     */
    record About(String sort, Collection<String> subjects) implements AuditCondition {

        /** Reads the events of each subject newest first, so that no full sort is needed. */
        @Override
        public String scanSql(int number, int limit) {
            return """
            SELECT DISTINCT position FROM unnest(:subjects%1$s::text[]) one, LATERAL (
                SELECT position FROM audit_subject
                WHERE sort = :sort%1$s AND subject = one AND %2$s
                ORDER BY position DESC LIMIT %3$s) about
            ORDER BY position DESC LIMIT %3$s
            """
                    .formatted(number, WITHIN_RANGE, limit);
        }

        @Override
        public String testSql(int number) {
            return """
            (SELECT true FROM audit_subject WHERE sort = :sort%1$s
               AND subject = ANY (:subjects%1$s::text[]) AND position = walked.position LIMIT 1)
             IS NOT NULL\
            """
                    .formatted(number);
        }

        @Override
        public Map<String, Object> parameters(int number) {
            return Map.of(
                    "sort" + number, sort, "subjects" + number, subjects.toArray(String[]::new));
        }
    }

    /**
     * The condition that an event is of requests from an address range.
     *
     * @param requests all of these requests, or one more than a scan reads
     */
    record From(AddressRange addresses, List<String> requests) implements AuditCondition {

        @Override
        public String scanSql(int number, int limit) {
            return asRequests().scanSql(number, limit);
        }

        private About asRequests() {
            return new About("request", requests);
        }

        @Override
        public String testSql(int number) {
            return """
            (SELECT true FROM domain_event walked_event JOIN request_origin
                 ON request_id = walked_event.metadata ->> 'requestId'
             WHERE walked_event.position = walked.position AND %s) IS NOT NULL\
            """
                    .formatted(OriginSql.ADDRESS_CONDITION);
        }

        @Override
        public Map<String, Object> parameters(int number) {
            return Map.of(
                    "sort" + number,
                    "request",
                    "subjects" + number,
                    requests.toArray(String[]::new),
                    "addresses",
                    addresses.toString());
        }
    }

    /** The condition on the range of the search. */
    String WITHIN_RANGE = "position > :after AND position < :before";
}
