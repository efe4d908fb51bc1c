package org.leasehold.command.journal;

import org.leasehold.command.CommandContext;
import org.leasehold.command.DeniedAccess;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;

/** The table that auditors look at. */
final class PostgresDeniedAttempts implements DeniedAttempts, DeniedAccess {

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

    @Override
    public void record(Why why, String rule, String target, CommandContext context) {
        String once =
                String.join(
                        "\n",
                        why.name(),
                        rule,
                        why == Why.ROLE ? "" : target,
                        context.user(),
                        context.project(),
                        context.now().truncatedTo(ChronoUnit.MINUTES).toString());
        jdbc.sql(
                        """
                        INSERT INTO denied_attempt (target, command, rejection, metadata, once)
                        VALUES (:target, :rule, :why::jsonb, :metadata::jsonb, :once)
                        ON CONFLICT (once) WHERE once IS NOT NULL DO UPDATE
                            SET times = denied_attempt.times + 1, last_at = clock_timestamp()
                        """)
                .param("target", target)
                .param("rule", rule)
                .param(
                        "why",
                        json.writeValueAsString(
                                Map.of("type", why.name().toLowerCase(Locale.ROOT))))
                .param("metadata", json.writeValueAsString(CommandMetadata.stored(context)))
                .param("once", once)
                .update();
    }
}
