package org.leasehold.query.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.readmodel.capacity.Capacities.TooManySeries;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Pools, by the number of their series. */
final class PoolsBySeries {

    private final int maxSeries;
    private final Map<UUID, Integer> pools = new HashMap<>();
    private final Map<@Nullable String, Integer> numbers = new LinkedHashMap<>();

    PoolsBySeries(AskCapacity question) {
        long buckets = Capacities.countBuckets(question.from(), question.to(), question.bucket());
        this.maxSeries = (int) Math.max(1, Capacities.MAX_TOTAL_BUCKETS / buckets);
    }

    int numberOf(@Nullable String value) {
        Integer known = numbers.get(value);
        if (known != null) {
            return known;
        }
        if (numbers.size() == maxSeries) {
            throw new TooManySeries(maxSeries);
        }
        numbers.put(value, numbers.size());
        return numbers.size() - 1;
    }

    void add(UUID pool, @Nullable String value) {
        pools.put(pool, numberOf(value));
    }

    /** Returns whether no sums are needed, which would take longer than everything else. */
    boolean hasOnePoolPerSeries() {
        return pools.size() == Set.copyOf(pools.values()).size();
    }

    Collection<Integer> numbers() {
        return numbers.values();
    }

    JdbcClient.StatementSpec query(JdbcClient jdbc, CapacityRelations source, String sql) {
        List<UUID> order = List.copyOf(pools.keySet());
        return jdbc.sql(sql)
                .params(source.values())
                .param("pools", order.toArray(UUID[]::new))
                .param("numbers", order.stream().map(pools::get).toArray(Integer[]::new));
    }

    /** Makes the same query for changes in some hours of some series. */
    JdbcClient.StatementSpec queryHours(
            Map<Integer, Set<Instant>> wanted,
            JdbcClient jdbc,
            CapacityRelations source,
            String sql) {
        List<UUID> lookedPools = new ArrayList<>();
        List<String> lookedHours = new ArrayList<>();
        pools.forEach(
                (pool, number) -> {
                    for (Instant hour : wanted.getOrDefault(number, Set.of())) {
                        lookedPools.add(pool);
                        lookedHours.add(hour.toString());
                    }
                });
        return query(jdbc, source, sql)
                .param("looked_pools", lookedPools.toArray(UUID[]::new))
                .param("looked_hours", lookedHours.toArray(String[]::new));
    }

    List<Series> series(Map<Integer, CapacityCurve> curves) {
        return numbers.entrySet().stream()
                .map(
                        each ->
                                Objects.requireNonNull(curves.get(each.getValue()))
                                        .series(each.getKey()))
                .sorted(
                        Comparator.comparing(
                                Series::value, Comparator.nullsLast(Comparator.naturalOrder())))
                .toList();
    }
}
