package org.leasehold.query.rebuild;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;

/**
 * A table that is filled beside the one that is served, and takes its place.
 *
 * @param first the one that is served
 */
public record SecondTable(JdbcTemplate jdbc, String first) {

    /** What the second table of a first one is called. */
    public static String name(String first) {
        return first + "_rebuilt";
    }

    /** Makes one like the first, and empty. */
    public static SecondTable create(JdbcTemplate jdbc, String first) {
        jdbc.execute("CREATE TABLE %s (LIKE %s INCLUDING ALL)".formatted(name(first), first));
        return new SecondTable(jdbc, first);
    }

    public void analyze() {
        jdbc.execute("ANALYZE " + name(first));
    }

    /** From now on nobody reads the first one, until the end of the transaction. */
    public void lockFirst() {
        jdbc.execute("LOCK TABLE %s IN ACCESS EXCLUSIVE MODE".formatted(first));
    }

    /** The indexes take the names of those before, for the sake of later migrations. */
    public void replaceFirst() {
        List<String> renames =
                jdbc.queryForList(
                        """
                        SELECT format('ALTER INDEX %s RENAME TO %I', new.indexrelid::regclass,
                            (SELECT relname FROM pg_class WHERE oid = old.indexrelid))
                        FROM pg_index old
                            JOIN pg_index new ON old.indkey::text = new.indkey::text
                        WHERE old.indrelid = ?::regclass
                          AND new.indrelid = ?::regclass
                        """,
                        String.class, first, name(first));
        jdbc.execute("DROP TABLE " + first);
        jdbc.execute("ALTER TABLE %s RENAME TO %s".formatted(name(first), first));
        renames.forEach(jdbc::execute);
    }
}
