package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.util.List;

/** The rules for the cloud's misbehaviour; read again for each operation. */
public final class BehaviorRuleTable {

    private static final String APPLICABLE_QUERY =
            """
            SELECT id, latency_ms, fault, skip, remaining FROM behaviour
            WHERE :operation LIKE replace(replace(replace(operations, '\\', '\\\\'), '_', '\\_'), '*', '%')
              AND (host IS NULL OR host = CAST(:host AS text))
              AND (remaining IS NULL OR remaining > 0)
              AND random() < probability
            ORDER BY id
            """;

    private final CloudConnections connections;

    public BehaviorRuleTable(CloudConnections connections) {
        this.connections = connections;
    }

    public void add(BehaviorRule rule) {
        jdbc().sql(
                        """
                        INSERT INTO behaviour
                            (operations, host, latency_ms, fault, probability, skip, remaining)
                        VALUES (:operations, :host, :latency, :fault, :probability, :skip, :remaining)
                        """)
                .param("operations", rule.operations())
                .param("host", rule.host())
                .param("latency", rule.latency().toMillis())
                .param("fault", rule.fault() == null ? null : rule.fault().name())
                .param("probability", rule.probability())
                .param("skip", rule.skip())
                .param("remaining", rule.times().isPresent() ? rule.times().getAsInt() : null)
                .update();
    }

    public void clear() {
        jdbc().sql("DELETE FROM behaviour").update();
    }

    /** Applies the rules to an operation that begins now, and counts it for limited rules. */
    Encounter applyRules(String operation, @Nullable String host) {
        Duration latency = Duration.ZERO;
        @Nullable InjectedFault fault = null;
        for (Row row : findApplicable(operation, host)) {
            if ((row.fault() != null && fault != null) || !consumeUse(row)) {
                continue;
            }
            latency = latency.plusMillis(row.latency());
            fault = row.fault() == null ? fault : InjectedFault.valueOf(row.fault());
        }
        return new Encounter(operation, host, latency, fault);
    }

    private List<Row> findApplicable(String operation, @Nullable String host) {
        return jdbc().sql(APPLICABLE_QUERY)
                .param("operation", operation)
                .param("host", host)
                .query(
                        (row, number) ->
                                new Row(
                                        row.getLong("id"),
                                        row.getLong("latency_ms"),
                                        row.getString("fault"),
                                        row.getInt("skip") > 0
                                                || row.getObject("remaining") != null))
                .list();
    }

    /** Takes a use of a limited rule; concurrent processes cannot take more than it allows. */
    private boolean consumeUse(Row row) {
        if (!row.limited()) {
            return true;
        }
        return jdbc().sql(
                        """
                        WITH rule AS (
                            SELECT id, skip FROM behaviour
                            WHERE id = :id AND (remaining IS NULL OR remaining > 0)
                            FOR UPDATE)
                        UPDATE behaviour
                        SET skip = greatest(rule.skip - 1, 0),
                            remaining = CASE
                                WHEN rule.skip > 0 THEN remaining ELSE remaining - 1 END
                        FROM rule WHERE behaviour.id = rule.id
                        RETURNING rule.skip = 0
                        """)
                .param("id", row.id())
                .query(Boolean.class)
                .optional()
                .orElse(false);
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }

    private record Row(long id, long latency, @Nullable String fault, boolean limited) {}

    /** The latency and the fault of an operation. */
    public record Encounter(
            String operation,
            @Nullable String host,
            Duration latency,
            @Nullable InjectedFault fault) {

        void beforeOperation() {
            pause();
            if (fault == null) {
                return;
            }
            switch (fault) {
                case REFUSE -> throw failure(Fault.Kind.DENIED, "is refused");
                case EXHAUSTED ->
                        throw failure(Fault.Kind.INSUFFICIENT_RESOURCES, "has run out of hosts");
                case BROKEN -> throw failure(Fault.Kind.PERMANENT, "is broken");
                case UNAVAILABLE -> throw failure(Fault.Kind.RETRYABLE, "is unavailable");
                case TIME_OUT_BEFORE -> throw failure(Fault.Kind.RETRYABLE, "timed out");
                case TIME_OUT_AFTER -> {}
            }
        }

        void afterOperation() {
            if (fault == InjectedFault.TIME_OUT_AFTER) {
                throw failure(Fault.Kind.RETRYABLE, "timed out");
            }
        }

        private void pause() {
            if (latency.isZero()) {
                return;
            }
            try {
                Thread.sleep(latency);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw failure(Fault.Kind.RETRYABLE, "was interrupted");
            }
        }

        private SimulatedCloudException failure(Fault.Kind kind, String what) {
            String where = host == null ? "" : " on " + host;
            return new SimulatedCloudException(
                    kind, "The simulated cloud's %s%s %s".formatted(operation, where, what));
        }
    }
}
