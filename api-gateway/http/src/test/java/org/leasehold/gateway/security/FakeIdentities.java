package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.identity.Identities;
import org.leasehold.resource.identity.Identity;
import org.leasehold.resource.identity.Revocation;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A Keystone that is a list of tokens, and counts calls. */
final class FakeIdentities implements Identities {

    private static final Fault AWAY = new Fault(Fault.Kind.RETRYABLE, "away");

    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger askedForRevocations = new AtomicInteger();

    private final Map<String, Identity> tokens = new ConcurrentHashMap<>();
    private final Set<Revocation> revocations = ConcurrentHashMap.newKeySet();

    volatile boolean away;

    /** Runs before every validation returns. */
    volatile Runnable before = () -> {};

    void issue(String token, String user, Instant expires) {
        tokens.put(token, identity(token, user, expires));
    }

    /** Revokes a token, and adds it to the list of revocations. */
    void revoke(String token, Instant at) {
        tokens.remove(token);
        revocations.add(new Revocation(at, token + at, "audit-" + token, null));
    }

    void disable(String user, Instant at) {
        tokens.values().removeIf(identity -> identity.user().value().equals(user));
        revocations.add(new Revocation(at, user + at, null, new UserId(user)));
    }

    static Identity identity(String token, String user, Instant expires) {
        return new Identity(
                new UserId(user),
                user,
                new Identity.Scope.Project(new ProjectId("p1"), "demo"),
                Set.of("member", "reader"),
                expires,
                Set.of("audit-" + token),
                Set.of(new UserId(user)),
                null);
    }

    @Override
    public URI address() {
        return URI.create("https://cloud:5000/v3");
    }

    @Override
    public Validation validate(String token) {
        asked.incrementAndGet();
        if (away) {
            return new Validation.Unknown(AWAY);
        }
        Identity known = tokens.get(token);
        before.run();
        return known == null ? new Validation.Refused() : new Validation.Valid(known);
    }

    @Override
    public Revocations revocations(@Nullable Instant since) {
        askedForRevocations.incrementAndGet();
        return away
                ? new Revocations.Unknown(AWAY)
                : new Revocations.Known(
                        Set.copyOf(
                                List.copyOf(revocations).stream()
                                        .filter(r -> since == null || r.at().isAfter(since))
                                        .toList()));
    }
}
