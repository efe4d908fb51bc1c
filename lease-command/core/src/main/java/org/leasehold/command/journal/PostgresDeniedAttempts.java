package org.leasehold.command.journal;

import org.leasehold.command.CommandContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

/** The table that auditors look at. */
final class PostgresDeniedAttempts implements DeniedAttempts {

    private final JdbcClient jdbc;
    private final JsonMapper json;

    PostgresDeniedAttempts(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    @Override
    public <R> void record(
            String target,
            Object command,
            R rejection,
            Class<? super R> rejections,
            CommandContext context) {
        if (context.user() == null) {
            return;
        }
        jdbc.sql(
                        """
                        INSERT INTO denied_attempt (target, command, rejection, metadata)
                        VALUES (:target, :command, :rejection::jsonb, :metadata::jsonb)
                        """)
                .param("target", target)
                .param("command", command.getClass().getSimpleName())
                .param("rejection", json.writerFor(rejections).writeValueAsString(rejection))
                .param("metadata", json.writeValueAsString(CommandMetadata.stored(context)))
                .update();
    }
}
