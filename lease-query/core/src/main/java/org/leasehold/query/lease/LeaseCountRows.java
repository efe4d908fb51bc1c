package org.leasehold.query.lease;

import org.leasehold.history.Invariant;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The numbers of unfinished leases, and of those that are retried, computed from the leases. The
 * write side updates the table; here it is verified, and rebuilt together with the leases.
 */
final class LeaseCountRows {

    static final Invariant COUNTS_MATCH_UNFINISHED_LEASES =
            new Invariant(
                    "lease_count",
                    """
                    SELECT 'project ' || coalesce(e.project_id, f.project_id),
                        coalesce(e.unfinished, 0) || ' unfinished leases, '
                            || coalesce(e.retried, 0) || ' retried',
                        coalesce(f.unfinished, 0) || ', ' || coalesce(f.retried, 0)
                    FROM (SELECT project_id, count(*) AS unfinished,
                              count(*) FILTER (WHERE status = '%2$s') AS retried FROM lease
                          WHERE status <> '%1$s' GROUP BY project_id) e
                        FULL JOIN lease_count f ON f.project_id = e.project_id
                    WHERE (coalesce(e.unfinished, 0), coalesce(e.retried, 0))
                        <> (coalesce(f.unfinished, 0), coalesce(f.retried, 0))
                    """
                            .formatted(LeaseStatus.ENDED, LeaseStatus.RETRYING));

    private final JdbcTemplate jdbc;
    private final Map<LeaseId, Counted> leases = new HashMap<>();

    LeaseCountRows(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    private record Counted(String project, boolean retried) {}

    void trackChanges(LeaseProjection.Written written) {
        written.removed().forEach(leases::remove);
        for (LeaseView lease : written.stored()) {
            if (lease.status() == LeaseStatus.ENDED) {
                leases.remove(lease.id());
            } else {
                leases.put(
                        lease.id(),
                        new Counted(
                                lease.projectId().value(), lease.status() == LeaseStatus.RETRYING));
            }
        }
    }

    /** Replaces the table; commands write it after they append, and the lock of that is held. */
    void replace() {
        Map<String, List<Counted>> byProject =
                leases.values().stream().collect(Collectors.groupingBy(Counted::project));
        List<Object[]> rows =
                byProject.entrySet().stream()
                        .map(each -> row(each.getKey(), each.getValue()))
                        .toList();
        jdbc.update("DELETE FROM lease_count");
        jdbc.batchUpdate(
                "INSERT INTO lease_count (project_id, unfinished, retried) VALUES (?, ?, ?)", rows);
    }

    private static Object[] row(String project, List<Counted> leases) {
        return new Object[] {
            project, (long) leases.size(), leases.stream().filter(Counted::retried).count()
        };
    }
}
