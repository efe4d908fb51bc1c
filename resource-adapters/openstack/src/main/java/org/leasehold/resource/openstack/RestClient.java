package org.leasehold.resource.openstack;

import org.leasehold.lease.ProjectId;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Requests to the cloud's services in the engine's name, for what openstack4j does not cover. */
public final class RestClient {

    private static final int LONGEST_MESSAGE = 300;
    private static final String TOKEN = "X-Auth-Token";

    private final Sessions sessions;
    private final Http http;

    RestClient(Sessions sessions, Http http) {
        this.sessions = sessions;
        this.http = http;
    }

    /**
     * Sends a request; once more with another token when the first one is of no use any more.
     *
     * @throws CloudFailure if the service does not answer, or answers with an error that the
     *     request does not expect
     */
    public Answer send(Request request) {
        Http.Reply reply =
                exchange(
                        request,
                        session ->
                                url(session.catalog().endpoint(request.service()), request.path()));
        return new Answer(reply.status(), reply.body());
    }

    /** As {@link #send}, but in the name of whoever has the token. */
    public Answer send(Request request, String token) {
        URI address = url(sessions.current().catalog().endpoint(request.service()), request.path());
        Http.Reply reply = accepted(request, http.send(request, address, Map.of(TOKEN, token)));
        return new Answer(reply.status(), reply.body());
    }

    /**
     * As {@link #send}, but in the name of whoever has the token, in their project: where a
     * service's address names the engine's, it is asked at theirs.
     */
    public Answer send(Request request, String token, ProjectId project) {
        Session session = sessions.current();
        String endpoint = session.catalog().endpoint(request.service()).toString();
        String own = session.details().getProject().getId();
        URI address = url(URI.create(endpoint.replace(own, project.value())), request.path());
        Http.Reply reply = accepted(request, http.send(request, address, Map.of(TOKEN, token)));
        return new Answer(reply.status(), reply.body());
    }

    /** Whether the cloud has a service, by its type. */
    public boolean has(String service) {
        return sessions.current().catalog().has(service);
    }

    /**
     * The address of a service, by its type. A catalog that lacks it is asked for again: it is as
     * old as the login.
     *
     * @throws CloudFailure if the catalog has none
     */
    URI address(String service) {
        Session session = sessions.current();
        Catalog catalog =
                session.catalog().has(service)
                        ? session.catalog()
                        : sessions.renew(session).catalog();
        return catalog.endpoint(service);
    }

    /** Who the engine is in the cloud. */
    public String user() {
        return sessions.current().details().getUser().getId();
    }

    /** The engine's own project. */
    public String project() {
        return sessions.current().details().getProject().getId();
    }

    /** As {@link #send}, to an address that somebody else worked out. */
    Http.Reply exchange(Request request, Function<Session, URI> address) {
        return request.changesNothing()
                ? Again.atOnce(() -> answered(request, address))
                : answered(request, address);
    }

    private Http.Reply answered(Request request, Function<Session, URI> address) {
        Session session = sessions.current();
        Http.Reply reply = http.send(request, address.apply(session), token(session));
        if (reply.status() == 401) {
            Session renewed = sessions.renew(session);
            reply = http.send(request, address.apply(renewed), token(renewed));
        }
        return accepted(request, reply);
    }

    private static Http.Reply accepted(Request request, Http.Reply reply) {
        boolean success = reply.status() >= 200 && reply.status() < 300;
        if (!success && !request.expected().contains(reply.status())) {
            throw CloudFailure.answered(
                    reply.status(),
                    "%s answered %s to %s %s%s"
                            .formatted(
                                    request.service(),
                                    reply.status(),
                                    request.method(),
                                    request.path(),
                                    explanation(reply)));
        }
        return reply;
    }

    private static Map<String, String> token(Session session) {
        return Map.of(TOKEN, session.id());
    }

    /** Some catalogs have a service's version in its address, others leave it to the path. */
    private static URI url(URI endpoint, String path) {
        String address = endpoint.toString();
        String version = address.substring(address.lastIndexOf('/'));
        boolean twice = version.matches("/v\\d[\\d.]*") && path.startsWith(version + "/");
        return URI.create(twice ? address + path.substring(version.length()) : address + path);
    }

    private static String explanation(Http.Reply reply) {
        String message = message(reply.body()).map(m -> ": " + bounded(m)).orElse("");
        String request = Objects.toString(reply.headers().get("X-Openstack-Request-Id"), "");
        return request.isEmpty() ? message : message + " (" + bounded(request) + ")";
    }

    /** Every service has a form of its own, but in each the sentence has one of two names. */
    private static Optional<String> message(JsonNode body) {
        return Optional.ofNullable(body.findValue("message"))
                .or(() -> Optional.ofNullable(body.findValue("detail")))
                .filter(JsonNode::isString)
                .map(JsonNode::asString);
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "…";
    }
}
