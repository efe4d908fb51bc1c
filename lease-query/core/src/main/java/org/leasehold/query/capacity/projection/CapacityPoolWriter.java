package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.CapacityProjection.column;

import org.leasehold.inventory.ResourceKind;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The writer of the pools of resources and of refusals. */
final class CapacityPoolWriter {

    private final JdbcTemplate jdbc;
    private final String poolTable;

    CapacityPoolWriter(JdbcTemplate jdbc, String poolTable) {
        this.jdbc = jdbc;
        this.poolTable = poolTable;
    }

    /** Inserts pools that are not there yet, and those of their whole kinds. */
    void insert(List<CapacityPool> pools) {
        Map<UUID, CapacityPool> known = new LinkedHashMap<>();
        for (CapacityPool pool : pools) {
            known.put(pool.id(), pool);
            CapacityPool whole = CapacityPool.ofKind(pool.kind());
            known.put(whole.id(), whole);
        }
        List<CapacityPool> each = List.copyOf(known.values());
        jdbc.update(
                """
                INSERT INTO %s
                SELECT pool, kind, region, zone, properties::jsonb, wish
                FROM unnest(?, ?, ?, ?, ?, ?) p (pool, kind, region, zone, properties, wish)
                ON CONFLICT DO NOTHING
                """
                        .formatted(poolTable),
                column(each, UUID[]::new, CapacityPool::id),
                column(each, String[]::new, pool -> pool.kind().value()),
                column(each, String[]::new, CapacityPool::region),
                column(each, String[]::new, CapacityPool::zone),
                column(each, String[]::new, CapacityPool::propertiesText),
                column(each, String[]::new, CapacityPool::wish));
    }

    /** Returns pools for the first requests of a kind, in event order, and for all others. */
    List<CapacityPool> ofRefusals(List<RefusedRequest> refusals) {
        Map<ResourceKind, Set<UUID>> known = new HashMap<>();
        jdbc.query(
                "SELECT kind, pool_id FROM %s WHERE wish <> ''".formatted(poolTable),
                row -> {
                    known.computeIfAbsent(
                                    new ResourceKind(row.getString("kind")), _ -> new HashSet<>())
                            .add(row.getObject("pool_id", UUID.class));
                });
        List<CapacityPool> pools = new ArrayList<>();
        for (RefusedRequest refusal : refusals) {
            Set<UUID> ofKind = known.computeIfAbsent(refusal.kind(), _ -> new HashSet<>());
            if (!refusal.wish().equals(RefusedRequirement.OTHER_REQUESTS)
                    && ofKind.size() < RefusedRequirement.MAX_DISTINCT_REQUESTS) {
                ofKind.add(refusal.pool().id());
            }
            pools.add(
                    ofKind.contains(refusal.pool().id())
                            ? refusal.pool()
                            : CapacityPool.ofRequest(
                                    refusal.kind(), RefusedRequirement.OTHER_REQUESTS));
        }
        return pools;
    }
}
