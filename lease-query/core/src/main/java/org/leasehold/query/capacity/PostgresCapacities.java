package org.leasehold.query.capacity;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.Capacities;
import org.leasehold.query.capacity.Hour.Change;
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
final class PostgresCapacities implements Capacities {

    private static final ObjectReader PROPERTIES =
            new JsonMapper().readerFor(new TypeReference<TreeMap<String, String>>() {});

    /** Pools with the numbers of their series. */
    private static final String COUNTED =
            "(SELECT * FROM unnest(:pools, :numbers) c (pool_id, number)) counted";

    /**
     * The locks before the snapshot: a query that waits for replaced tables would otherwise see the
     * old snapshot, in which they are empty.
     */
    private static final String AS_ONE =
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

    PostgresCapacities(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        snapshot = new TransactionTemplate(transactions);
        snapshot.setReadOnly(true);
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    }

    @Override
    public List<Series> tell(AskCapacity question) {
        return Objects.requireNonNull(snapshot.execute(_ -> told(question)));
    }

    /** Sums past hours, and the changes of the current one. */
    @Override
    public List<Standing> standing(Instant at) {
        return jdbc.sql(
                        """
                        SELECT kind, %1$s
                        FROM capacity_pool JOIN (
                            SELECT pool_id, %2$s FROM capacity_hour WHERE hour < :hour
                            UNION ALL
                            SELECT pool_id, %2$s FROM capacity_change WHERE at >= :hour AND at <= :at) c USING (pool_id)
                        WHERE properties IS NULL GROUP BY kind ORDER BY kind
                        """
                                .formatted(Edges.SUMS, Measure.columns("%s")))
                .param("hour", utc(at.truncatedTo(ChronoUnit.HOURS)))
                .param("at", utc(at))
                .query((row, _) -> standing(new ResourceKind(row.getString("kind")), row))
                .list();
    }

    private static Standing standing(ResourceKind kind, ResultSet row) throws SQLException {
        Amounts amounts = amounts(row);
        return new Standing(
                kind,
                Curve.resources(amounts.enrolled()),
                Curve.resources(amounts.reservable()),
                Curve.resources(amounts.reserved()),
                Curve.resources(amounts.active()));
    }

    private List<Series> told(AskCapacity question) {
        jdbc.sql(AS_ONE).update();
        Groups groups = groups(question);
        return series(question, groups, Source.of(question));
    }

    private Groups groups(AskCapacity question) {
        Groups groups = new Groups(question);
        if (question.by() == null) {
            groups.number(null);
        }
        Parts parts = new Parts(question);
        Map<UUID, String> wishes = new LinkedHashMap<>();
        jdbc.sql(POOLS)
                .param("kind", question.kind().value())
                .param("of_some", question.isOfSome())
                .param("as_of", question.asOf())
                .query(
                        row -> {
                            UUID id = row.getObject("pool_id", UUID.class);
                            Pool pool = pool(row);
                            if (pool.wish() != null) {
                                wishes.put(id, pool.wish());
                                return;
                            }
                            parts.of(pool).ifPresent(part -> groups.add(id, part.value()));
                            if (row.getBoolean("is_known")) {
                                parts.know(pool);
                            }
                        });
        wishes.forEach(
                (id, wish) ->
                        parts.ofRefused(wish).ifPresent(part -> groups.add(id, part.value())));
        return groups;
    }

    private static Pool pool(ResultSet row) throws SQLException {
        String properties = row.getString("properties");
        return new Pool(
                new ResourceKind(row.getString("kind")),
                row.getString("region"),
                row.getString("zone"),
                properties == null ? null : PROPERTIES.readValue(properties),
                row.getString("wish"));
    }

    private List<Series> series(AskCapacity question, Groups groups, Source source) {
        Map<Integer, Amounts> before = new HashMap<>();
        Map<Integer, List<Hour>> hours = new HashMap<>();
        boolean single = groups.areOfOnePoolEach();
        groups.ask(
                        jdbc,
                        source,
                        """
                        SELECT number, %s
                        FROM %s h JOIN %s USING (pool_id)
                        WHERE hour >= :since AND hour < :until GROUP BY number
                        """
                                .formatted(Edges.SUMS, source.hours(), COUNTED))
                .param("since", OffsetDateTime.MIN)
                .param("until", utc(question.from()))
                .query(
                        row -> {
                            before.put(row.getInt("number"), amounts(row));
                        });
        groups.ask(
                        jdbc,
                        source,
                        """
                        SELECT number, hour, %s FROM %s h JOIN %s USING (pool_id)
                        WHERE hour >= :since AND hour < :until %s ORDER BY hour
                        """
                                .formatted(
                                        Edges.ofHours(single ? "%1$s" : "sum(%1$s) AS %1$s"),
                                        source.hours(),
                                        COUNTED,
                                        single ? "" : "GROUP BY number, hour"))
                .param("since", utc(question.from()))
                .param("until", utc(question.to()))
                .query(
                        row -> {
                            hours.computeIfAbsent(row.getInt("number"), _ -> new ArrayList<>())
                                    .add(hour(row));
                        });
        Map<Integer, Curve> curves = new HashMap<>();
        for (int number : groups.numbers()) {
            curves.put(
                    number,
                    new Curve(
                            question,
                            before.getOrDefault(number, Amounts.NOTHING),
                            hours.getOrDefault(number, List.of()),
                            some -> changes(groups, source, Map.of(number, some)).get(number)));
        }
        learn(groups, source, curves);
        return groups.series(curves);
    }

    /** Reads the changes that most of the curves need in one query. */
    private void learn(Groups groups, Source source, Map<Integer, Curve> curves) {
        Map<Integer, Set<Instant>> promising = new HashMap<>();
        curves.forEach((number, curve) -> promising.put(number, curve.promising()));
        changes(groups, source, promising)
                .forEach(
                        (number, changes) ->
                                Objects.requireNonNull(curves.get(number))
                                        .learn(promising.getOrDefault(number, Set.of()), changes));
    }

    private static Hour hour(ResultSet row) throws SQLException {
        return new Hour(
                instant(row, "hour"),
                amounts(row),
                times(row),
                row.getLong("reserved_high"),
                row.getLong("headroom_low"));
    }

    /** Returns those of each series in the wanted hours; by hour. */
    private Map<Integer, Map<Instant, List<Change>>> changes(
            Groups groups, Source source, Map<Integer, Set<Instant>> wanted) {
        Map<Integer, List<Change>> changes = new HashMap<>();
        wanted.keySet().forEach(number -> changes.put(number, new ArrayList<>()));
        groups.askInto(
                        wanted,
                        jdbc,
                        source,
                        """
                        SELECT number, at, %s FROM %s c JOIN %s USING (pool_id)
                        GROUP BY number, at ORDER BY at
                        """
                                .formatted(Edges.SUMS, source.changesInHours(), COUNTED))
                .query(
                        row -> {
                            List<Change> its = changes.get(row.getInt("number"));
                            if (its != null) {
                                its.add(new Change(instant(row, "at"), amounts(row)));
                            }
                        });
        Map<Integer, Map<Instant, List<Change>>> byHour = new HashMap<>();
        changes.forEach((number, its) -> byHour.put(number, Hour.byHour(its)));
        return byHour;
    }

    private static Amounts amounts(ResultSet row) throws SQLException {
        return new Amounts(
                row.getLong("enrolled"),
                row.getLong("reservable"),
                row.getLong("reserved"),
                row.getLong("active"),
                row.getLong("idle"),
                row.getLong("refused"));
    }

    private static Map<Measure, BigInteger> times(ResultSet row) throws SQLException {
        Map<Measure, BigInteger> times = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
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
