package org.leasehold.command.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.DenialLog;
import org.leasehold.command.RequestOrigin;
import org.leasehold.vocabulary.StoredNames;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import tools.jackson.databind.json.JsonMapper;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** The table of denials and rejections, for auditors. */
public final class PostgresDenialLog implements RejectionLog, DenialLog {

    private static final String REJECTED =
            FirstOrigin.storedWith(
                    """
                    INSERT INTO denied_attempt (target, command, rejection, metadata)
                    VALUES (:target, :command, :why::jsonb, :metadata::jsonb)
                    """);

    private static final String DENIED =
            FirstOrigin.storedWith(
                    """
                    INSERT INTO denied_attempt (target, command, rejection, metadata, once)
                    VALUES (:target, :command, :why::jsonb, :metadata::jsonb, :once)
                    ON CONFLICT (once) WHERE once IS NOT NULL DO UPDATE
                        SET times = denied_attempt.times + 1, last_at = clock_timestamp()
                    """);

    private final JdbcClient jdbc;
    private final JsonMapper json;

    /** The key of the digests. It exists only as long as the process, so they reveal no address. */
    private final byte[] secret = new byte[32];

    public PostgresDenialLog(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
        new SecureRandom().nextBytes(secret);
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
        attempt(
                        REJECTED,
                        target,
                        StoredNames.of(command.getClass()),
                        json.writerFor(rejections).writeValueAsString(rejection),
                        context)
                .update();
    }

    @Override
    public void record(Why why, String rule, String target, CommandContext context) {
        String once =
                String.join(
                        "\n",
                        why.name(),
                        rule,
                        distinction(why, target, context.origin()),
                        context.user(),
                        context.project(),
                        context.now().truncatedTo(ChronoUnit.MINUTES).toString());
        attempt(
                        DENIED,
                        target,
                        rule,
                        json.writeValueAsString(
                                Map.of("type", why.name().toLowerCase(Locale.ROOT))),
                        context)
                .param("once", once)
                .update();
    }

    /** Returns what makes attempts different that have the same rule, user, project and minute. */
    private String distinction(Why why, String target, @Nullable RequestOrigin origin) {
        return switch (why) {
            case ROLE -> "";
            case ANOTHER_PROJECT -> target;
            case LOGIN_FAILED, LOGIN_THROTTLED ->
                    origin == null ? "" : digest(String.valueOf(origin.addressText()));
        };
    }

    /** Hides an address: the row remains when the address is erased. */
    private String digest(String address) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(secret);
            return HexFormat.of().formatHex(digest.digest(address.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    private StatementSpec attempt(
            String statement, String target, String command, String why, CommandContext context) {
        StatementSpec attempt =
                jdbc.sql(statement)
                        .param("target", target)
                        .param("command", command)
                        .param("why", why)
                        .param(
                                "metadata",
                                json.writeValueAsString(CommandMetadata.stored(context)));
        return FirstOrigin.bind(attempt, context);
    }
}
