package org.leasehold.resource.openstack;

import com.fasterxml.jackson.core.JsonProcessingException;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.TrustId;
import org.openstack4j.core.transport.ObjectMapperSingleton;
import org.openstack4j.openstack.identity.v3.domain.KeystoneToken;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The engine's logins, one for all waiting callers: a cloud that returns after an hour must not
 * receive a thousand logins. A login that Keystone rejected has a pause before the next attempt.
 */
final class Sessions {

    private static final String SUBJECT_TOKEN = "X-Subject-Token";

    private static final Duration NEXT_ATTEMPT = Duration.ofSeconds(30);

    private final CloudSettings settings;
    private final Http http;
    private final Clock clock;

    /** The trust to log in with; null for the engine's own project. */
    private final @Nullable TrustId trust;

    private @Nullable Session current;
    private @Nullable CompletableFuture<Session> login;

    Sessions(CloudSettings settings, Http http, Clock clock, @Nullable TrustId trust) {
        this.settings = settings;
        this.http = http;
        this.clock = clock;
        this.trust = trust;
    }

    /** Returns logins as the user of a trust. */
    Sessions as(TrustId given) {
        return new Sessions(settings, http, clock, given);
    }

    /** Returns a valid session; one that is about to expire only if a login fails. */
    Session current() {
        Session known;
        synchronized (this) {
            known = current;
        }
        Instant now = clock.instant();
        if (known == null || known.isOver(now)) {
            return renew(known);
        }
        if (!known.isDue(now)) {
            return known;
        }
        try {
            return renew(known);
        } catch (CloudFailure keystoneAway) {
            return later(known, now.plus(NEXT_ATTEMPT));
        }
    }

    /** Delays the renewal: otherwise each call would wait for a Keystone that does not respond. */
    private synchronized Session later(Session known, Instant then) {
        if (current != null && current.id().equals(known.id())) {
            current = known.renewedLater(then);
        }
        return known;
    }

    /** Returns a session other than the invalid one. */
    Session renew(@Nullable Session useless) {
        CompletableFuture<Session> mine = new CompletableFuture<>();
        CompletableFuture<Session> shared;
        synchronized (this) {
            if (current != null && (useless == null || !current.id().equals(useless.id()))) {
                return current;
            }
            if (login == null) {
                login = mine;
            }
            shared = login;
        }
        if (shared == mine) {
            finish(mine);
        }
        try {
            return shared.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof CloudFailure failure) {
                throw failure;
            }
            throw failed;
        }
    }

    private void finish(CompletableFuture<Session> mine) {
        Session renewed = null;
        try {
            renewed = logIn();
            mine.complete(renewed);
        } catch (CloudFailure failure) {
            mine.completeExceptionally(failure);
        } finally {
            synchronized (this) {
                if (renewed != null) {
                    current = renewed;
                }
                login = null;
            }
            // Waiting callers must learn of our own defects, too.
            mine.completeExceptionally(new IllegalStateException("the login failed"));
        }
    }

    private Session logIn() {
        RefusedLogins.Account account = RefusedLogins.Account.of(settings, scope());
        RefusedLogins.OF_THIS_PROCESS
                .enter(account, clock.instant())
                .ifPresent(
                        refused -> {
                            throw refused;
                        });
        try {
            Session session = askKeystone();
            RefusedLogins.OF_THIS_PROCESS.succeeded(account);
            return session;
        } catch (CloudFailure failure) {
            RefusedLogins.OF_THIS_PROCESS.failed(account, failure, clock.instant());
            throw failure;
        }
    }

    private Session askKeystone() {
        Request request = Request.post("identity", "/auth/tokens", credentials());
        Instant asked = clock.instant();
        Http.Reply reply =
                http.send(request, URI.create(settings.authUrl() + request.path()), Map.of());
        if (reply.status() >= 400) {
            throw CloudFailure.answered(
                    reply.status(),
                    "Keystone answered %s to the engine's login".formatted(reply.status()),
                    "Its user is %s".formatted(settings.user()));
        }
        String id = reply.headers().get(SUBJECT_TOKEN);
        JsonNode token = reply.body().path("token");
        if (id == null || !token.path("catalog").isArray()) {
            throw CloudFailure.noAnswer("Keystone answered the login with no token and catalog");
        }
        Catalog catalog = new Catalog(token.path("catalog"), settings);
        Duration life = life(token);
        return new Session(
                id,
                asked.plus(life.multipliedBy(9).dividedBy(10)),
                asked.plus(life),
                catalog,
                details(id, reply.body().toString()));
    }

    private Map<String, ?> credentials() {
        Map<String, ?> user =
                Map.of(
                        "name", settings.user(),
                        "domain", Map.of("name", settings.userDomain()),
                        "password", settings.password());
        return Map.of(
                "auth",
                Map.of(
                        "identity",
                        Map.of("methods", List.of("password"), "password", Map.of("user", user)),
                        "scope",
                        scope()));
    }

    private Map<String, ?> scope() {
        return trust == null
                ? Map.of(
                        "project",
                        Map.of(
                                "name", settings.project(),
                                "domain", Map.of("name", settings.projectDomain())))
                : Map.of("OS-TRUST:trust", Map.of("id", trust.value()));
    }

    /** Returns the life of a token by Keystone's own clock: ours may differ. */
    private static Duration life(JsonNode token) {
        try {
            Instant issued = Answer.instant(token.path("issued_at"));
            Instant expires = Answer.instant(token.path("expires_at"));
            return Duration.between(issued, expires);
        } catch (DateTimeException noTimes) {
            throw CloudFailure.noAnswer("Keystone answered the login with no times");
        }
    }

    private KeystoneToken details(String id, String json) {
        try {
            KeystoneToken details =
                    ObjectMapperSingleton.getContext(KeystoneToken.class)
                            .readValue(json, KeystoneToken.class);
            details.setId(id);
            details.setEndpoint(settings.authUrl().toString());
            return details;
        } catch (JsonProcessingException strange) {
            throw CloudFailure.noAnswer("Keystone answered the login with a token of another kind");
        }
    }
}
