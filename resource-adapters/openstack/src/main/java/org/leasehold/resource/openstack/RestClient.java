package org.leasehold.resource.openstack;

import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** A client of the cloud's services as the engine, for requests that openstack4j does not cover. */
public final class RestClient {

    private static final int MAX_MESSAGE_LENGTH = 300;
    private static final String TOKEN = "X-Auth-Token";

    /** The status of Cinder's list of versions. */
    private static final int MULTIPLE_CHOICES = 300;

    private final SessionCache sessions;
    private final JsonHttpClient http;

    RestClient(SessionCache sessions, JsonHttpClient http) {
        this.sessions = sessions;
        this.http = http;
    }

    /**
     * Sends a request; once more with a new token if the service rejects the first one.
     *
     * @throws CloudFailure if the service does not respond, or responds with an error that the
     *     request does not expect
     */
    public CloudResponse send(CloudRequest request) {
        JsonHttpClient.Reply reply =
                exchange(
                        request,
                        session ->
                                url(session.catalog().endpoint(request.service()), request.path()));
        return new CloudResponse(reply.status(), reply.body());
    }

    /** Sends as {@link #send}, but as the user of the token. */
    public CloudResponse send(CloudRequest request, String token) {
        URI address = url(sessions.current().catalog().endpoint(request.service()), request.path());
        JsonHttpClient.Reply reply =
                requireAccepted(request, http.send(request, address, Map.of(TOKEN, token)));
        return new CloudResponse(reply.status(), reply.body());
    }

    /**
     * Sends as {@link #send}, but as the user of the token, in the user's project. If a service's
     * address contains the engine's project, the user's project replaces it.
     */
    public CloudResponse send(CloudRequest request, String token, ProjectId project) {
        Session session = sessions.current();
        String endpoint = session.catalog().endpoint(request.service()).toString();
        String own = session.details().getProject().getId();
        URI address = url(URI.create(endpoint.replace(own, project.value())), request.path());
        JsonHttpClient.Reply reply =
                requireAccepted(request, http.send(request, address, Map.of(TOKEN, token)));
        return new CloudResponse(reply.status(), reply.body());
    }

    /** Returns whether the cloud has a service, by its type. */
    public boolean hasService(String service) {
        return sessions.current().catalog().hasService(service);
    }

    /**
     * Returns the address of a service, by its type. If the catalog lacks it, logs in again,
     * because the catalog is as old as the login.
     *
     * @throws CloudFailure if the new catalog lacks it, too
     */
    URI address(String service) {
        Session session = sessions.current();
        ServiceCatalog catalog =
                session.catalog().hasService(service)
                        ? session.catalog()
                        : sessions.renew(session).catalog();
        return catalog.endpoint(service);
    }

    /**
     * Returns the document with a service's microversions, by its type.
     *
     * @throws CloudFailure if the service does not respond with a document
     */
    JsonNode versionDocument(String service) {
        CloudRequest request = CloudRequest.get(service, "/").expecting(MULTIPLE_CHOICES);
        return exchange(request, session -> versionAddress(session.catalog().endpoint(service)))
                .body();
    }

    /** Returns the address up to the version. Old catalogs have the project after it. */
    static URI versionAddress(URI endpoint) {
        return URI.create(endpoint.toString().replaceFirst("(/v\\d[\\d.]*)/[^/]+$", "$1") + "/");
    }

    /** Returns the id of the engine's user in the cloud. */
    public String userId() {
        return sessions.current().details().getUser().getId();
    }

    /** Returns the id of the engine's own project. */
    public String projectId() {
        return sessions.current().details().getProject().getId();
    }

    /** Sends as {@link #send}, to a given address. */
    JsonHttpClient.Reply exchange(CloudRequest request, Function<Session, URI> address) {
        return request.isReadOnly()
                ? RetryOnce.call(() -> sendWithRenewal(request, address))
                : sendWithRenewal(request, address);
    }

    private JsonHttpClient.Reply sendWithRenewal(
            CloudRequest request, Function<Session, URI> address) {
        Session session = sessions.current();
        JsonHttpClient.Reply reply = http.send(request, address.apply(session), token(session));
        if (reply.status() == 401) {
            Session renewed = sessions.renew(session);
            reply = http.send(request, address.apply(renewed), token(renewed));
        }
        return requireAccepted(request, reply);
    }

    private static JsonHttpClient.Reply requireAccepted(
            CloudRequest request, JsonHttpClient.Reply reply) {
        boolean success = reply.status() >= 200 && reply.status() < 300;
        if (!success && !request.expected().contains(reply.status())) {
            throw CloudFailure.ofStatus(
                    reply.status(),
                    "%s answered %s".formatted(request.service(), reply.status()),
                    "The request was %s %s%s"
                            .formatted(request.method(), request.path(), explanation(reply)));
        }
        return reply;
    }

    private static Map<String, String> token(Session session) {
        return Map.of(TOKEN, session.id());
    }

    /** Joins address and path. Some catalogs have the version in the address, others do not. */
    private static URI url(URI endpoint, String path) {
        String address = endpoint.toString();
        String version = address.substring(address.lastIndexOf('/'));
        boolean twice = version.matches("/v\\d[\\d.]*") && path.startsWith(version + "/");
        return URI.create(twice ? address + path.substring(version.length()) : address + path);
    }

    private static String explanation(JsonHttpClient.Reply reply) {
        String message = message(reply.body()).map(m -> ": " + truncate(m)).orElse("");
        String request = Objects.toString(reply.headers().get("X-Openstack-Request-Id"), "");
        return request.isEmpty() ? message : message + " (" + truncate(request) + ")";
    }

    /** Returns the error message. Each service has its own format, but one of two field names. */
    private static Optional<String> message(JsonNode body) {
        return Optional.ofNullable(body.findValue("message"))
                .or(() -> Optional.ofNullable(body.findValue("detail")))
                .filter(JsonNode::isString)
                .map(JsonNode::asString);
    }

    private static String truncate(String text) {
        return text.length() <= MAX_MESSAGE_LENGTH
                ? text
                : text.substring(0, MAX_MESSAGE_LENGTH) + "…";
    }
}
