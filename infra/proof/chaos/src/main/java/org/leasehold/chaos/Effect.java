package org.leasehold.chaos;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The effect of a statement on a table. */
record Effect(String verb, String table) {

    /** A statement's verb and table; neither the clause of a lock nor of a conflict counts. */
    private static final Pattern STATEMENT =
            Pattern.compile(
                    "(insert into|delete from|(?<!for |key |do |or )update)\\s+([a-z_.\"]+)",
                    Pattern.CASE_INSENSITIVE);

    /** The table of migrations; the migration itself names their effects. */
    private static final String MIGRATIONS = "flyway_schema_history";

    /** The table of the processors' positions; an effect on it counts only without others. */
    private static final String POSITIONS = "token_entry";

    /** Tables that change together with others. */
    private static final Set<String> INCIDENTAL_TABLES =
            Set.of(
                    POSITIONS,
                    "projection",
                    "event_resource",
                    "sealed_stream",
                    "seal_key",
                    "association_value_entry",
                    "waiting",
                    "aggregate",
                    "subnet",
                    "volume_type",
                    "stack_resource",
                    "zone");

    private static final String DELETION = "delete";

    /** The condition for a row that this transaction has written, perhaps after a savepoint. */
    private static final String OWN_ROW_CONDITION =
            """
            xmin::text::bigint >= pg_current_xact_id()::text::bigint
            AND pg_xact_status(xmin::text::xid8) = 'in progress'
            """;

    static Set<Effect> parseAll(String sql) {
        Set<Effect> effects = new LinkedHashSet<>();
        Matcher statement = STATEMENT.matcher(sql);
        while (statement.find()) {
            String verb = statement.group(1).toLowerCase(Locale.ROOT).replaceAll("\\s.*", "");
            String table = statement.group(2).toLowerCase(Locale.ROOT).replace("\"", "");
            effects.add(
                    new Effect(
                            verb.equals("update") ? updateVerb(sql) : verb,
                            table.substring(table.indexOf('.') + 1)));
        }
        return effects;
    }

    /** Returns the name of a change. Timers and tasks are queues, so their changes have names. */
    private static String updateVerb(String sql) {
        String text = sql.toLowerCase(Locale.ROOT);
        if (text.contains("picked = false") || text.contains("consecutive_failures = ?")) {
            return "put back";
        }
        if (text.contains("skip locked") || text.contains("set picked")) {
            return "take";
        }
        return text.contains("set last_heartbeat") ? "hold" : "update";
    }

    /**
     * Returns a query for details of transactions that their tables do not distinguish: the first
     * event of each stream, and the step in the cloud.
     */
    @Nullable String detailsQuery() {
        return switch (table) {
            case "domain_event" ->
                    "SELECT DISTINCT ON (stream_id) 'event ' || event_type FROM domain_event WHERE "
                            + OWN_ROW_CONDITION
                            + " ORDER BY stream_id, sequence";
            case "effect" ->
                    "SELECT DISTINCT 'cloud ' || operation FROM effect WHERE " + OWN_ROW_CONDITION;
            default -> null;
        };
    }

    /**
     * Returns the names of the effects on each table: one for all its deletions, and one for its
     * last other change. A projection often deletes and inserts in one transaction.
     */
    static Set<String> names(Collection<Effect> effects) {
        Set<String> tables = new HashSet<>(effects.stream().map(Effect::table).toList());
        String deletion = tables.contains(POSITIONS) ? "cancel" : DELETION;
        if (tables.contains(MIGRATIONS)) {
            tables.retainAll(Set.of(MIGRATIONS));
        }
        if (!INCIDENTAL_TABLES.containsAll(tables)) {
            tables.removeAll(INCIDENTAL_TABLES);
        }
        Map<String, String> lastChanges = new LinkedHashMap<>();
        Set<String> names = new LinkedHashSet<>();
        for (Effect effect : effects) {
            if (!tables.contains(effect.table)) {
                continue;
            }
            if (effect.verb.equals(DELETION)) {
                names.add(deletion + " " + effect.table);
            } else {
                lastChanges.put(effect.table, effect.verb + " " + effect.table);
            }
        }
        names.addAll(lastChanges.values());
        return names;
    }
}
