package org.leasehold.chaos;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.Set;

/** A connection that passes a failpoint after each commit with a durable effect. */
final class WatchedConnection implements InvocationHandler {

    private final Connection connection;
    private final Failpoints points;
    private final Set<Effect> effects = new LinkedHashSet<>();

    private WatchedConnection(Connection connection, Failpoints points) {
        this.connection = connection;
        this.points = points;
    }

    static Connection wrap(Connection connection, Failpoints points) {
        return proxy(Connection.class, new WatchedConnection(connection, points));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "commit" -> {
                commit();
                yield null;
            }
            case "rollback" -> {
                if (arguments == null) {
                    effects.clear();
                }
                yield call(connection, method, arguments);
            }
            case "createStatement" ->
                    proxy(Statement.class, watch(call(connection, method, arguments), null));
            case "prepareStatement" ->
                    proxy(
                            PreparedStatement.class,
                            watch(call(connection, method, arguments), sqlOf(arguments)));
            default -> call(connection, method, arguments);
        };
    }

    /** Watches a statement, and runs it in a transaction if it may change data. */
    private InvocationHandler watch(@Nullable Object statement, @Nullable String prepared) {
        return (proxy, method, arguments) -> {
            boolean executes = method.getName().startsWith("execute");
            String sql = prepared == null ? sqlOf(arguments) : prepared;
            if (method.getName().equals("addBatch") && sql != null) {
                effects.addAll(Effect.parseAll(sql));
            }
            if (!executes) {
                return call(statement, method, arguments);
            }
            if (sql != null) {
                effects.addAll(Effect.parseAll(sql));
            }
            return effects.isEmpty() || !connection.getAutoCommit()
                    ? call(statement, method, arguments)
                    : inTransaction(statement, method, arguments);
        };
    }

    private @Nullable Object inTransaction(
            @Nullable Object statement, Method method, Object @Nullable [] arguments)
            throws Throwable {
        connection.setAutoCommit(false);
        try {
            Object result = call(statement, method, arguments);
            commit();
            return result;
        } catch (SQLException e) {
            effects.clear();
            if (!connection.isClosed()) {
                connection.rollback();
            }
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }

    private void commit() throws SQLException {
        Set<String> names = hasWritten() ? failpointNames() : Set.of();
        effects.clear();
        connection.commit();
        points.pass(names);
    }

    /** Returns true if the transaction wrote: a poll without a result is an update, too. */
    private boolean hasWritten() throws SQLException {
        return !effects.isEmpty()
                && !queryTexts("SELECT pg_current_xact_id_if_assigned()::text").isEmpty();
    }

    /** Returns names for the transaction: its events if there are any, or its changed tables. */
    private Set<String> failpointNames() throws SQLException {
        for (Effect effect : effects) {
            String details = effect.detailsQuery();
            if (details != null) {
                return queryTexts(details);
            }
        }
        return Effect.names(effects);
    }

    private Set<String> queryTexts(String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            Set<String> answers = new LinkedHashSet<>();
            while (rows.next()) {
                String answer = rows.getString(1);
                if (answer != null) {
                    answers.add(answer);
                }
            }
            return answers;
        }
    }

    private static @Nullable String sqlOf(Object @Nullable [] arguments) {
        return arguments != null && arguments.length > 0 && arguments[0] instanceof String text
                ? text
                : null;
    }

    private static @Nullable Object call(
            @Nullable Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(
                        WatchedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
