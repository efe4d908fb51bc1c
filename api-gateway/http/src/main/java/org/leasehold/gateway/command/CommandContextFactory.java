package org.leasehold.gateway.command;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.gateway.request.BufferedRequest;
import org.leasehold.gateway.request.error.RequestId;
import org.leasehold.gateway.request.header.RequestOriginParser;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.vocabulary.LeaseId;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** The contexts of commands: the caller, the time and the request. */
public final class CommandContextFactory {

    static final String KEY = "Idempotency-Key";
    private static final String REASON = "Leasehold-Reason";
    private static final int MAX_KEY_LENGTH = 200;

    /** The id of the user and the project if a login has a name that no user has. */
    private static final String UNKNOWN = "-";

    private final Clock clock;

    public CommandContextFactory(Clock clock) {
        this.clock = clock;
    }

    public Instant now() {
        return clock.instant();
    }

    /** Returns the context of the command of a request. */
    public CommandContext of(Caller caller, HttpServletRequest request) {
        Idempotency known = IdempotentRequest.keyOf(request);
        return context(caller, request, known == null ? idempotency(caller, request) : known);
    }

    /**
     * Returns the context of a request for a subscription, whose secret its user gets. The same
     * request of another user is a different one, so no other user's key ends a secret.
     */
    public CommandContext forSubscription(Caller caller, HttpServletRequest request) {
        Idempotency own = idempotency(caller, request);
        return context(
                caller,
                request,
                own == null
                        ? null
                        : new Idempotency(
                                own.project(),
                                own.key(),
                                own.bodyHash() + "\n" + caller.user().value()));
    }

    /** Returns the context of a request that became no command. */
    public CommandContext forRequestWithoutCommand(Caller caller, HttpServletRequest request) {
        return context(caller, request, null);
    }

    /**
     * Returns the context of a denied login. It has no roles, and no reason in the words of a
     * client that did not log in. An unknown name may be a password in the wrong field, so the
     * context does not have it.
     *
     * @param claimed the user with the name of the login; null if no user has it
     */
    public CommandContext forDeniedLogin(@Nullable Caller claimed, HttpServletRequest request) {
        return new CommandContext(
                clock.instant(),
                RequestId.of(request).value(),
                claimed == null ? UNKNOWN : claimed.user().value(),
                claimed == null ? UNKNOWN : claimed.project().value(),
                List.of(),
                "basic",
                null,
                null,
                null,
                null,
                RequestOriginParser.of(request));
    }

    private CommandContext context(
            Caller caller, HttpServletRequest request, @Nullable Idempotency idempotency) {
        return new CommandContext(
                clock.instant(),
                RequestId.of(request).value(),
                caller.user().value(),
                caller.project().value(),
                caller.roles().stream().map(Role::toString).toList(),
                caller.authentication(),
                null,
                reason(request),
                idempotency,
                null,
                RequestOriginParser.of(request));
    }

    /**
     * Returns the id of a lease that is about to be created. A repeat of a request under the same
     * key gets the same id, and finds the lease.
     */
    public LeaseId leaseIdFor(CommandContext context) {
        return new LeaseId(idFor(context));
    }

    /**
     * Returns the id of a webhook or of a calendar's feed, likewise; it has another secret then.
     */
    public UUID subscriptionIdFor(CommandContext context) {
        return idFor(context);
    }

    private static UUID idFor(CommandContext context) {
        Idempotency request = context.idempotency();
        if (request == null) {
            return UUID.randomUUID();
        }
        String name = request.owner() + "\n" + request.key() + "\n" + request.bodyHash();
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String reason(HttpServletRequest request) {
        String reason = request.getHeader(REASON);
        return reason == null || reason.isBlank() ? null : reason.strip();
    }

    /** Returns whether a request has an empty key. */
    static boolean hasEmptyKey(HttpServletRequest request) {
        String key = request.getHeader(KEY);
        return key != null && key.isBlank();
    }

    private static @Nullable Idempotency idempotency(Caller caller, HttpServletRequest request) {
        String key = request.getHeader(KEY);
        if (key == null || key.isBlank()) {
            return null;
        }
        return new Idempotency(
                caller.project().value(),
                bounded(key.strip()),
                fingerprint(request),
                caller.user().value());
    }

    /** Bounds a key, as a database index limits its length: a long one becomes its digest. */
    private static String bounded(String key) {
        return key.length() <= MAX_KEY_LENGTH
                ? key
                : HexFormat.of().formatHex(sha256().digest(key.getBytes(StandardCharsets.UTF_8)));
    }

    /** Hashes all that identifies a request: the same key with anything else is a mistake. */
    private static String fingerprint(HttpServletRequest request) {
        MessageDigest digest = sha256();
        digest.update(request.getMethod().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) ' ');
        digest.update(request.getRequestURI().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
        return HexFormat.of().formatHex(digest.digest(BufferedRequest.bodyOf(request)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }
}
