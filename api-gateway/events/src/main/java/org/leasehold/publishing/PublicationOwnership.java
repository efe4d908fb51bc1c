package org.leasehold.publishing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.OptionalLong;
import java.util.UUID;

/**
 * The row of a publication, with its owner and offset, seen by one possible owner. The database's
 * clock decides on the ownership. No lock is held: acknowledgements may take longer than a
 * transaction may stay idle.
 */
public final class PublicationOwnership {

    private static final Logger LOG = LoggerFactory.getLogger(PublicationOwnership.class);

    private static final String OWNERSHIP_DURATION = "interval '10 s'";

    private final JdbcClient jdbc;
    private final String name;
    private final String owner;

    /**
     * @param node a name for readers of the table; two objects with the same name are two owners
     */
    public PublicationOwnership(JdbcClient jdbc, String name, String node) {
        this.jdbc = jdbc;
        this.name = name;
        this.owner = node + " " + UUID.randomUUID();
    }

    String name() {
        return name;
    }

    /**
     * Takes the publication if it has no owner, or renews the ownership. A negative offset means
     * that it has never begun; then it begins after the present last event.
     *
     * @return the offset; empty while another node owns it
     */
    public OptionalLong acquire() {
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
                                .formatted(OWNERSHIP_DURATION))
                .param("owner", owner)
                .param("name", name)
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Renews the ownership; returns false if it is lost. */
    public boolean renew() {
        return jdbc.sql(
                                """
                                UPDATE publication SET until = clock_timestamp() + %s
                                WHERE name = :name AND owner = :owner
                                """
                                        .formatted(OWNERSHIP_DURATION))
                        .param("owner", owner)
                        .param("name", name)
                        .update()
                == 1;
    }

    /** Stores the offset; returns false if the ownership is lost. */
    public boolean saveOffset(long position) {
        return jdbc.sql(
                                """
                                UPDATE publication
                                SET position = :position, until = clock_timestamp() + %s
                                WHERE name = :name AND owner = :owner
                                """
                                        .formatted(OWNERSHIP_DURATION))
                        .param("position", position)
                        .param("owner", owner)
                        .param("name", name)
                        .update()
                == 1;
    }

    /** Releases the publication for another node. An interrupt does not prevent that. */
    public void release() {
        boolean interrupted = Thread.interrupted();
        try {
            jdbc.sql("UPDATE publication SET owner = NULL WHERE name = :name AND owner = :owner")
                    .param("owner", owner)
                    .param("name", name)
                    .update();
        } catch (RuntimeException | Error e) {
            // Without the database, the ownership expires after a while.
            LOG.atDebug().setCause(e).log("A publication could not be given up");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the offset; negative before the publication has begun. */
    public long offset() {
        return jdbc.sql("SELECT position FROM publication WHERE name = ?")
                .param(name)
                .query(Long.class)
                .single();
    }
}
