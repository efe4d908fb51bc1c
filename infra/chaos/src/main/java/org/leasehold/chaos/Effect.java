package org.leasehold.chaos;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a statement does to a table. */
record Effect(String verb, String table) {

    /** Neither what follows a lock nor what an insert does on a conflict is a statement. */
    private static final Pattern STATEMENT =
            Pattern.compile(
                    "(insert into|delete from|(?<!for |key |do |or )update)\\s+([a-z_.\"]+)",
                    Pattern.CASE_INSENSITIVE);

    /** What a migration does is told by what it is. */
    private static final String MIGRATIONS = "flyway_schema_history";

    /** Which position a processor has reached; says something only when nothing else does. */
    private static final String POSITIONS = "token_entry";

    /** Move along with what they belong to. */
    private static final Set<String> ASIDE =
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

    /** A row that this transaction has written, perhaps after a savepoint. */
    private static final String OWN =
            """
            xmin::text::bigint >= pg_current_xact_id()::text::bigint
            AND pg_xact_status(xmin::text::xid8) = 'in progress'
            """;

    static Set<Effect> in(String sql) {
        Set<Effect> effects = new LinkedHashSet<>();
        Matcher statement = STATEMENT.matcher(sql);
        while (statement.find()) {
            String verb = statement.group(1).toLowerCase(Locale.ROOT).replaceAll("\\s.*", "");
            String table = statement.group(2).toLowerCase(Locale.ROOT).replace("\"", "");
            effects.add(
                    new Effect(
                            verb.equals("update") ? change(sql) : verb,
                            table.substring(table.indexOf('.') + 1)));
        }
        return effects;
    }

    /** The tables of timers and tasks are queues: what happens to their rows has names. */
    private static String change(String sql) {
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
     * A question for what tells transactions apart whose tables do not: of each stream the first
     * event, and the step in the cloud.
     */
    @Nullable String details() {
        return switch (table) {
            case "domain_event" ->
                    "SELECT DISTINCT ON (stream_id) 'event ' || event_type FROM domain_event WHERE "
                            + OWN
                            + " ORDER BY stream_id, sequence";
            case "effect" -> "SELECT DISTINCT 'cloud ' || operation FROM effect WHERE " + OWN;
            default -> null;
        };
    }

    /** One name for each table, of the last that was done to it. */
    static Set<String> names(Collection<Effect> effects) {
        boolean reaction = effects.stream().anyMatch(effect -> effect.table.equals(POSITIONS));
        Map<String, String> names = new LinkedHashMap<>();
        for (Effect effect : effects) {
            boolean cancels = reaction && effect.verb.equals("delete");
            names.put(effect.table, (cancels ? "cancel " : effect.verb + " ") + effect.table);
        }
        if (names.containsKey(MIGRATIONS)) {
            names.keySet().retainAll(Set.of(MIGRATIONS));
        }
        if (!ASIDE.containsAll(names.keySet())) {
            names.keySet().removeAll(ASIDE);
        }
        return new LinkedHashSet<>(names.values());
    }
}
