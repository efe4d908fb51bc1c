package org.leasehold.publishing;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.OptionalLong;
import java.util.UUID;

/**
 * A publication's row, as one of those sees it who would own it. The database's clock says whose it
 * is. No lock is held: acknowledgements may take longer than a transaction is allowed to stand
 * still.
 */
public final class Place {

    private static final String HELD_FOR = "interval '10 s'";

    private final JdbcClient jdbc;
    private final String name;
    private final String owner;

    /**
     * @param node for whoever reads the table; two of the same name are two owners all the same
     */
    public Place(JdbcClient jdbc, String name, String node) {
        this.jdbc = jdbc;
        this.name = name;
        this.owner = node + " " + UUID.randomUUID();
    }

    String name() {
        return name;
    }

    /**
     * Takes the publication if nobody has it, or keeps it. One that has never begun, which is what
     * a negative position means, begins with what happens from now on.
     *
     * @return where to go on; empty while it is another's
     */
    public OptionalLong take() {
        return jdbc.sql(
                        """
                        UPDATE publication
                        SET owner = :owner, until = clock_timestamp() + %s,
                            position = CASE WHEN position >= 0 THEN position ELSE
                                (SELECT coalesce(max(e.position), 0) FROM domain_event e) END
                        WHERE name = :name
                          AND (owner IS NULL OR owner = :owner OR until < clock_timestamp())
                        RETURNING position
                        """
                                .formatted(HELD_FOR))
                .param("owner", owner)
                .param("name", name)
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Whether it is still ours; if so, for a while more. */
    public boolean renew() {
        return jdbc.sql(
                                """
                                UPDATE publication SET until = clock_timestamp() + %s
                                WHERE name = :name AND owner = :owner
                                """
                                        .formatted(HELD_FOR))
                        .param("owner", owner)
                        .param("name", name)
                        .update()
                == 1;
    }

    /** Moves it, if it is still ours. */
    public boolean save(long position) {
        return jdbc.sql(
                                """
                                UPDATE publication
                                SET position = :position, until = clock_timestamp() + %s
                                WHERE name = :name AND owner = :owner
                                """
                                        .formatted(HELD_FOR))
                        .param("position", position)
                        .param("owner", owner)
                        .param("name", name)
                        .update()
                == 1;
    }

    /** Leaves it to whoever comes next. */
    public void giveUp() {
        jdbc.sql("UPDATE publication SET owner = NULL WHERE name = :name AND owner = :owner")
                .param("owner", owner)
                .param("name", name)
                .update();
    }

    /** Everything up to there has been taken; negative before it has begun. */
    public long position() {
        return jdbc.sql("SELECT position FROM publication WHERE name = ?")
                .param(name)
                .query(Long.class)
                .single();
    }
}
