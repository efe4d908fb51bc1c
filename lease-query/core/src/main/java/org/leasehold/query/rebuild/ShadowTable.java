package org.leasehold.query.rebuild;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;

/**
 * A table that is filled beside the served one, and replaces it.
 *
 * @param first the served one
 */
public record ShadowTable(JdbcTemplate jdbc, String first) {

    /** Returns the name of a table's second table. */
    public static String shadowName(String first) {
        return first + "_rebuilt";
    }

    /** Creates an empty one like the first. */
    public static ShadowTable create(JdbcTemplate jdbc, String first) {
        jdbc.execute("CREATE TABLE %s (LIKE %s INCLUDING ALL)".formatted(shadowName(first), first));
        // The storage parameters are not included.
        jdbc.queryForList(
                        """
                        SELECT format('ALTER TABLE %s SET (%%s)', array_to_string(reloptions, ','))
                        FROM pg_class WHERE oid = ?::regclass AND reloptions IS NOT NULL
                        """
                                .formatted(shadowName(first)),
                        String.class,
                        first)
                .forEach(jdbc::execute);
        return new ShadowTable(jdbc, first);
    }

    public void analyze() {
        jdbc.execute("ANALYZE " + shadowName(first));
    }

    /** Locks the first one against readers until the end of the transaction. */
    public void lockOriginal() {
        jdbc.execute("LOCK TABLE %s IN ACCESS EXCLUSIVE MODE".formatted(first));
    }

    /** Replaces the first table; indexes get the old names, for later migrations. */
    public void replaceOriginal() {
        List<String> renames =
                jdbc.queryForList(
                        """
                        SELECT format('ALTER INDEX %s RENAME TO %I', new.indexrelid::regclass,
                            (SELECT relname FROM pg_class WHERE oid = old.indexrelid))
                        FROM pg_index old
                            JOIN pg_index new ON old.indkey::text = new.indkey::text
                                AND pg_get_expr(old.indpred, old.indrelid)
                                    IS NOT DISTINCT FROM pg_get_expr(new.indpred, new.indrelid)
                        WHERE old.indrelid = ?::regclass
                          AND new.indrelid = ?::regclass
                        """,
                        String.class, first, shadowName(first));
        jdbc.execute("DROP TABLE " + first);
        jdbc.execute("ALTER TABLE %s RENAME TO %s".formatted(shadowName(first), first));
        renames.forEach(jdbc::execute);
    }
}
