package org.leasehold.query.lease;

import org.leasehold.history.Invariant;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The numbers of unfinished leases, computed from the leases. The write side updates the table;
 * here it is verified, and rebuilt together with the leases.
 */
final class LeaseCountRows {

    static final Invariant COUNTS_MATCH_UNFINISHED_LEASES =
            new Invariant(
                    "lease_count",
                    """
                    SELECT 'project ' || coalesce(e.project_id, f.project_id),
                        coalesce(e.unfinished, 0) || ' unfinished leases',
                        coalesce(f.unfinished, 0)::text
                    FROM (SELECT project_id, count(*) AS unfinished FROM lease
                          WHERE status <> '%s' GROUP BY project_id) e
                        FULL JOIN lease_count f ON f.project_id = e.project_id
                    WHERE coalesce(e.unfinished, 0) <> coalesce(f.unfinished, 0)
                    """
                            .formatted(LeaseStatus.ENDED));

    private final JdbcTemplate jdbc;
    private final Map<LeaseId, String> projects = new HashMap<>();

    LeaseCountRows(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void trackChanges(LeaseProjection.Written written) {
        written.removed().forEach(projects::remove);
        for (LeaseView lease : written.stored()) {
            if (lease.status() == LeaseStatus.ENDED) {
                projects.remove(lease.id());
            } else {
                projects.put(lease.id(), lease.projectId().value());
            }
        }
    }

    /** Replaces the table; commands write it after they append, and the lock of that is held. */
    void replace() {
        Map<String, Long> counts =
                projects.values().stream()
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        List<Object[]> rows =
                counts.entrySet().stream()
                        .map(count -> new Object[] {count.getKey(), count.getValue()})
                        .toList();
        jdbc.update("DELETE FROM lease_count");
        jdbc.batchUpdate("INSERT INTO lease_count (project_id, unfinished) VALUES (?, ?)", rows);
    }
}
