package org.leasehold.resource.openstack;

import com.fasterxml.jackson.core.JsonProcessingException;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.TrustId;
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
final class SessionCache {

    private static final String SUBJECT_TOKEN = "X-Subject-Token";

    private static final Duration RENEWAL_RETRY_DELAY = Duration.ofSeconds(30);

    private final CloudSettings settings;
    private final JsonHttpClient http;
    private final Clock clock;

    /** The trust to log in with; null for the engine's own project. */
    private final @Nullable TrustId trust;

    private @Nullable Session current;
    private @Nullable CompletableFuture<Session> pendingLogin;

    SessionCache(
            CloudSettings settings, JsonHttpClient http, Clock clock, @Nullable TrustId trust) {
        this.settings = settings;
        this.http = http;
        this.clock = clock;
        this.trust = trust;
    }

    /** Returns logins as the user of a trust. */
    SessionCache withTrust(TrustId given) {
        return new SessionCache(settings, http, clock, given);
    }

    /** Returns a valid session; one that is about to expire only if a login fails. */
    Session current() {
        Session known;
        synchronized (this) {
            known = current;
        }
        Instant now = clock.instant();
        if (known == null || known.isExpired(now)) {
            return renew(known);
        }
        if (!known.isRenewalDue(now)) {
            return known;
        }
        try {
            return renew(known);
        } catch (CloudFailure keystoneAway) {
            return postponeRenewal(known, now.plus(RENEWAL_RETRY_DELAY));
        }
    }

    /** Delays the renewal: otherwise each call would wait for a Keystone that does not respond. */
    private synchronized Session postponeRenewal(Session known, Instant then) {
        if (current != null && current.id().equals(known.id())) {
            current = known.withRenewalAt(then);
        }
        return known;
    }

    /** Returns a session other than the invalid one. */
    Session renew(@Nullable Session useless) {
        CompletableFuture<Session> ownLogin = new CompletableFuture<>();
        CompletableFuture<Session> shared;
        synchronized (this) {
            if (current != null && (useless == null || !current.id().equals(useless.id()))) {
                return current;
            }
            if (pendingLogin == null) {
                pendingLogin = ownLogin;
            }
            shared = pendingLogin;
        }
        if (shared == ownLogin) {
            completeLogin(ownLogin);
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

    private void completeLogin(CompletableFuture<Session> ownLogin) {
        Session renewed = null;
        try {
            renewed = logIn();
            ownLogin.complete(renewed);
        } catch (CloudFailure failure) {
            ownLogin.completeExceptionally(failure);
        } finally {
            synchronized (this) {
                if (renewed != null) {
                    current = renewed;
                }
                pendingLogin = null;
            }
            // Waiting callers must learn of our own defects, too.
            ownLogin.completeExceptionally(new IllegalStateException("the login failed"));
        }
    }

    private Session logIn() {
        LoginBackoff.Account account = LoginBackoff.Account.of(settings, scope());
        LoginBackoff.SHARED
                .checkBackoff(account, clock.instant())
                .ifPresent(
                        refused -> {
                            throw refused;
                        });
        try {
            Session session = requestToken();
            LoginBackoff.SHARED.recordSuccess(account);
            return session;
        } catch (CloudFailure failure) {
            LoginBackoff.SHARED.recordFailure(account, failure, clock.instant());
            throw failure;
        }
    }

    private Session requestToken() {
        CloudRequest request = CloudRequest.post("identity", "/auth/tokens", credentials());
        Instant asked = clock.instant();
        JsonHttpClient.Reply reply =
                http.send(request, URI.create(settings.authUrl() + request.path()), Map.of());
        if (reply.status() >= 400) {
            throw CloudFailure.ofStatus(
                    reply.status(),
                    "Keystone answered %s to the engine's login".formatted(reply.status()),
                    "Its user is %s".formatted(settings.user()));
        }
        String id = reply.headers().get(SUBJECT_TOKEN);
        JsonNode token = reply.body().path("token");
        if (id == null || !token.path("catalog").isArray()) {
            throw CloudFailure.noAnswer("Keystone answered the login with no token and catalog");
        }
        ServiceCatalog catalog = new ServiceCatalog(token.path("catalog"), settings);
        Duration life = lifetime(token);
        return new Session(
                id,
                asked.plus(life.multipliedBy(9).dividedBy(10)),
                asked.plus(life),
                catalog,
                toKeystoneToken(id, reply.body().toString()));
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

    /** Returns the lifetime of a token by Keystone's own clock: ours may differ. */
    private static Duration lifetime(JsonNode token) {
        try {
            Instant issued = CloudResponse.instant(token.path("issued_at"));
            Instant expires = CloudResponse.instant(token.path("expires_at"));
            return Duration.between(issued, expires);
        } catch (DateTimeException noTimes) {
            throw CloudFailure.noAnswer("Keystone answered the login with no times");
        }
    }

    private KeystoneToken toKeystoneToken(String id, String json) {
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
