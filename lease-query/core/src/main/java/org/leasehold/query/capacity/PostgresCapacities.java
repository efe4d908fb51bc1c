package org.leasehold.query.capacity;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.capacity.CapacityHour.Change;
import org.leasehold.query.capacity.projection.CapacityChangeSql;
import org.leasehold.query.capacity.projection.CapacityMeasure;
import org.leasehold.query.capacity.projection.CapacityPool;
import org.leasehold.readmodel.capacity.Capacities;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Queries of the tables of capacity, or of their past contents, which are computed. */
public final class PostgresCapacities implements Capacities {

    private static final ObjectReader PROPERTIES =
            new JsonMapper().readerFor(new TypeReference<TreeMap<String, String>>() {});

    /** Pools with the numbers of their series. */
    private static final String NUMBERED_POOLS =
            "(SELECT * FROM unnest(:pools, :numbers) c (pool_id, number)) counted";

    /**
     * The locks before the snapshot: a query that waits for replaced tables would otherwise see the
     * old snapshot, in which they are empty.
     */
    private static final String LOCK_TABLES =
            """
            LOCK TABLE capacity_pool, capacity_member, capacity_refusal, capacity_change,
                capacity_hour, booking, observed_use IN ACCESS SHARE MODE\
            """;

    /** The whole of a kind, or its pools; those known then could have served a request. */
    private static final String POOLS =
            """
            SELECT *, properties IS NOT NULL AND (CAST(:as_of AS bigint) IS NULL OR pool_id IN (
                SELECT pool_id FROM capacity_member WHERE known_from <= :as_of)) AS is_known
            FROM capacity_pool WHERE kind = :kind AND (properties IS NOT NULL) = :of_some
            ORDER BY pool_id\
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate snapshot;

    public PostgresCapacities(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        snapshot = new TransactionTemplate(transactions);
        snapshot.setReadOnly(true);
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    }

    @Override
    public List<Series> findSeries(AskCapacity question) {
        return Objects.requireNonNull(snapshot.execute(_ -> loadSeries(question)));
    }

    /** Sums past hours, and the changes of the current one. */
    @Override
    public List<Standing> capacityAt(Instant at) {
        return jdbc.sql(
                        """
                        SELECT kind, %1$s
                        FROM capacity_pool JOIN (
                            SELECT pool_id, %2$s FROM capacity_hour WHERE hour < :hour
                            UNION ALL
                            SELECT pool_id, %2$s FROM capacity_change WHERE at >= :hour AND at <= :at) c USING (pool_id)
                        WHERE properties IS NULL GROUP BY kind ORDER BY kind
                        """
                                .formatted(CapacityChangeSql.SUMS, CapacityMeasure.columns("%s")))
                .param("hour", utc(at.truncatedTo(ChronoUnit.HOURS)))
                .param("at", utc(at))
                .query((row, _) -> standing(new ResourceKind(row.getString("kind")), row))
                .list();
    }

    private static Standing standing(ResourceKind kind, ResultSet row) throws SQLException {
        CapacityAmounts amounts = amounts(row);
        return new Standing(
                kind,
                CapacityCurve.toResources(amounts.enrolled()),
                CapacityCurve.toResources(amounts.reservable()),
                CapacityCurve.toResources(amounts.reserved()),
                CapacityCurve.toResources(amounts.active()));
    }

    private List<Series> loadSeries(AskCapacity question) {
        jdbc.sql(LOCK_TABLES).update();
        PoolsBySeries groups = groupPools(question);
        return series(question, groups, CapacityRelations.of(question));
    }

    private PoolsBySeries groupPools(AskCapacity question) {
        PoolsBySeries groups = new PoolsBySeries(question);
        if (question.by() == null) {
            groups.numberOf(null);
        }
        CapacityBreakdown parts = new CapacityBreakdown(question);
        Map<UUID, String> wishes = new LinkedHashMap<>();
        jdbc.sql(POOLS)
                .param("kind", question.kind().value())
                .param("of_some", question.isRestricted())
                .param("as_of", question.asOf())
                .query(
                        row -> {
                            UUID id = row.getObject("pool_id", UUID.class);
                            CapacityPool pool = pool(row);
                            if (pool.wish() != null) {
                                wishes.put(id, pool.wish());
                                return;
                            }
                            parts.partOf(pool).ifPresent(part -> groups.add(id, part.value()));
                            if (row.getBoolean("is_known")) {
                                parts.addPool(pool);
                            }
                        });
        wishes.forEach(
                (id, wish) ->
                        parts.partOfRefusal(wish).ifPresent(part -> groups.add(id, part.value())));
        return groups;
    }

    private static CapacityPool pool(ResultSet row) throws SQLException {
        String properties = row.getString("properties");
        return new CapacityPool(
                new ResourceKind(row.getString("kind")),
                row.getString("region"),
                row.getString("zone"),
                properties == null ? null : PROPERTIES.readValue(properties),
                row.getString("wish"));
    }

    private List<Series> series(
            AskCapacity question, PoolsBySeries groups, CapacityRelations source) {
        Map<Integer, CapacityAmounts> before = new HashMap<>();
        Map<Integer, List<CapacityHour>> hours = new HashMap<>();
        boolean single = groups.hasOnePoolPerSeries();
        groups.query(
                        jdbc,
                        source,
                        """
                        SELECT number, %s
                        FROM %s h JOIN %s USING (pool_id)
                        WHERE hour >= :since AND hour < :until GROUP BY number
                        """
                                .formatted(CapacityChangeSql.SUMS, source.hours(), NUMBERED_POOLS))
                .param("since", OffsetDateTime.MIN)
                .param("until", utc(question.from()))
                .query(
                        row -> {
                            before.put(row.getInt("number"), amounts(row));
                        });
        groups.query(
                        jdbc,
                        source,
                        """
                        SELECT number, hour, %s FROM %s h JOIN %s USING (pool_id)
                        WHERE hour >= :since AND hour < :until %s ORDER BY hour
                        """
                                .formatted(
                                        CapacityChangeSql.hourColumns(
                                                single ? "%1$s" : "sum(%1$s) AS %1$s"),
                                        source.hours(),
                                        NUMBERED_POOLS,
                                        single ? "" : "GROUP BY number, hour"))
                .param("since", utc(question.from()))
                .param("until", utc(question.to()))
                .query(
                        row -> {
                            hours.computeIfAbsent(row.getInt("number"), _ -> new ArrayList<>())
                                    .add(hour(row));
                        });
        Map<Integer, CapacityCurve> curves = new HashMap<>();
        for (int number : groups.numbers()) {
            curves.put(
                    number,
                    new CapacityCurve(
                            question,
                            before.getOrDefault(number, CapacityAmounts.NOTHING),
                            hours.getOrDefault(number, List.of()),
                            unknown ->
                                    changes(groups, source, Map.of(number, unknown)).get(number)));
        }
        preloadChanges(groups, source, curves);
        return groups.series(curves);
    }

    /** Reads the changes that most of the curves need in one query. */
    private void preloadChanges(
            PoolsBySeries groups, CapacityRelations source, Map<Integer, CapacityCurve> curves) {
        Map<Integer, Set<Instant>> promising = new HashMap<>();
        curves.forEach((number, curve) -> promising.put(number, curve.hoursToReadFirst()));
        changes(groups, source, promising)
                .forEach(
                        (number, changes) ->
                                Objects.requireNonNull(curves.get(number))
                                        .addChanges(
                                                promising.getOrDefault(number, Set.of()), changes));
    }

    private static CapacityHour hour(ResultSet row) throws SQLException {
        return new CapacityHour(
                instant(row, "hour"),
                amounts(row),
                times(row),
                row.getLong("reserved_high"),
                row.getLong("headroom_low"));
    }

    /** Returns those of each series in the wanted hours; by hour. */
    private Map<Integer, Map<Instant, List<Change>>> changes(
            PoolsBySeries groups, CapacityRelations source, Map<Integer, Set<Instant>> wanted) {
        Map<Integer, List<Change>> changes = new HashMap<>();
        wanted.keySet().forEach(number -> changes.put(number, new ArrayList<>()));
        groups.queryHours(
                        wanted,
                        jdbc,
                        source,
                        """
                        SELECT number, at, %s FROM %s c JOIN %s USING (pool_id)
                        GROUP BY number, at ORDER BY at
                        """
                                .formatted(
                                        CapacityChangeSql.SUMS,
                                        source.changesInHours(),
                                        NUMBERED_POOLS))
                .query(
                        row -> {
                            List<Change> ofNumber = changes.get(row.getInt("number"));
                            if (ofNumber != null) {
                                ofNumber.add(new Change(instant(row, "at"), amounts(row)));
                            }
                        });
        Map<Integer, Map<Instant, List<Change>>> byHour = new HashMap<>();
        changes.forEach((number, ofNumber) -> byHour.put(number, CapacityHour.byHour(ofNumber)));
        return byHour;
    }

    private static CapacityAmounts amounts(ResultSet row) throws SQLException {
        return new CapacityAmounts(
                row.getLong("enrolled"),
                row.getLong("reservable"),
                row.getLong("reserved"),
                row.getLong("active"),
                row.getLong("idle"),
                row.getLong("refused"));
    }

    private static Map<CapacityMeasure, BigInteger> times(ResultSet row) throws SQLException {
        Map<CapacityMeasure, BigInteger> times = new EnumMap<>(CapacityMeasure.class);
        for (CapacityMeasure measure : CapacityMeasure.values()) {
            times.put(measure, row.getBigDecimal(measure.column() + "_time").toBigIntegerExact());
        }
        return times;
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
