package org.leasehold.command.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.leasehold.command.CommandContext;
import org.leasehold.command.PrivilegedReadLog;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import tools.jackson.databind.json.JsonMapper;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** The table of privileged reads, for auditors. */
public final class PostgresPrivilegedReadLog implements PrivilegedReadLog {

    private static final String RECORD =
            FirstOrigin.storedWith(
                    """
                    INSERT INTO privileged_read (once, rule, path, filter, metadata)
                    VALUES (:once, :rule, :path, :filter, :metadata::jsonb)
                    ON CONFLICT (once) DO UPDATE
                        SET times = privileged_read.times + 1, last_at = clock_timestamp()
                    """);

    private static final String DELETE =
            """
            DELETE FROM privileged_read WHERE read_id IN (
                SELECT read_id FROM privileged_read WHERE recorded_at < :before
                ORDER BY recorded_at LIMIT :limit)
            """;

    private final JdbcClient jdbc;
    private final JsonMapper json;

    public PostgresPrivilegedReadLog(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    @Override
    public void record(Read read, CommandContext context) {
        StatementSpec record =
                jdbc.sql(RECORD)
                        .param("once", digest(read, context))
                        .param("rule", read.rule())
                        .param("path", read.path())
                        .param("filter", read.filter())
                        .param(
                                "metadata",
                                json.writeValueAsString(CommandMetadata.stored(context)));
        FirstOrigin.bind(record, context).update();
    }

    /**
     * Deletes reads that were recorded before an instant.
     *
     * @return the number of rows; if it is {@code limit}, there may be more
     */
    int deleteBefore(Instant before, int limit) {
        return jdbc.sql(DELETE)
                .param("before", before.atOffset(ZoneOffset.UTC))
                .param("limit", limit)
                .update();
    }

    /** Returns a key of bounded length for reads that are equal within a minute. */
    private static String digest(Read read, CommandContext context) {
        String key =
                String.join(
                        "\n",
                        read.rule(),
                        read.path(),
                        read.filter(),
                        context.user(),
                        context.project(),
                        context.roles().toString(),
                        String.valueOf(context.reason()),
                        context.now().truncatedTo(ChronoUnit.MINUTES).toString());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }
}
