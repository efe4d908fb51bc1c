package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.TrustId;
import org.openstack4j.api.OSClient.OSClientV3;
import org.openstack4j.api.exceptions.OS4JException;
import org.openstack4j.core.transport.Config;
import org.openstack4j.model.common.ActionResponse;
import org.openstack4j.openstack.OSFactory;

import java.time.Clock;
import java.util.function.Function;

/**
 * The cloud, as the engine's own user. It logs in at the first call, again before the login
 * expires, and once more if a service rejects it. Every failure is a {@link CloudFailure}. Safe for
 * any number of threads.
 */
public final class Cloud implements AutoCloseable {

    private final JsonHttpClient http;
    private final SessionCache sessions;
    private final RestClient rest;

    public Cloud(CloudSettings settings, Clock clock) {
        this(new JsonHttpClient(settings), settings, clock);
    }

    private Cloud(JsonHttpClient http, CloudSettings settings, Clock clock) {
        this(http, new SessionCache(settings, http, clock, null));
    }

    private Cloud(JsonHttpClient http, SessionCache sessions) {
        this.http = http;
        this.sessions = sessions;
        this.rest = new RestClient(sessions, http);
    }

    /**
     * Returns the same cloud as the user of a trust; it closes with this one. The first call shows
     * whether the trust is valid: if not, it fails with 401 or 404.
     */
    public Cloud as(TrustId trust) {
        return new Cloud(http, sessions.withTrust(trust));
    }

    /** Returns a client for requests that openstack4j does not support. */
    public RestClient rest() {
        return rest;
    }

    /**
     * Makes one call through openstack4j, on this thread. Throws errors that openstack4j would
     * return, or take for a success. For an absent thing (404) it returns null, or an empty list,
     * as openstack4j does.
     *
     * @param service its type in the catalog, such as {@code compute}
     */
    public <T extends @Nullable Object> T call(String service, Function<OSClientV3, T> call) {
        T answer;
        try {
            answer = OpenStack4jTransport.callThrough(rest, service, () -> call.apply(client()));
        } catch (OS4JException strange) {
            throw CloudFailure.noAnswer(
                    service + " answered what the engine does not understand",
                    String.valueOf(strange.getMessage()));
        }
        if (answer instanceof ActionResponse action && !action.isSuccess()) {
            throw CloudFailure.ofStatus(
                    action.getCode(),
                    service + " answered " + action.getCode(),
                    String.valueOf(action.getFault()));
        }
        return answer;
    }

    private OSClientV3 client() {
        Session session = sessions.current();
        return OSFactory.clientFromToken(
                session.details(), Config.newConfig().withEndpointURLResolver(session.catalog()));
    }

    @Override
    public void close() {
        http.close();
    }
}
