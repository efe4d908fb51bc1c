package org.leasehold.resource.openstack;

import com.fasterxml.jackson.core.JsonProcessingException;

import org.jspecify.annotations.Nullable;
import org.openstack4j.api.exceptions.ClientResponseException;
import org.openstack4j.core.transport.ClientConstants;
import org.openstack4j.core.transport.ExecutionOptions;
import org.openstack4j.core.transport.HttpEntityHandler;
import org.openstack4j.core.transport.HttpExecutorService;
import org.openstack4j.core.transport.HttpRequest;
import org.openstack4j.core.transport.HttpResponse;
import org.openstack4j.core.transport.ObjectMapperSingleton;

import tools.jackson.databind.JavaType;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Sends openstack4j's requests over our own HTTP. openstack4j finds this class as a service.
 *
 * <p>Its own connectors do not fit. Some of its actions then take 429, 502 and 503 for a success.
 * Each request has its own connection and no timeout, and each thread logs in separately. Here
 * every error but 404 is thrown before openstack4j sees it.
 */
public final class OpenStack4jTransport implements HttpExecutorService {

    private static final ScopedValue<Way> CURRENT_ROUTE = ScopedValue.newInstance();
    private static final JavaType OBJECT_TYPE =
            JsonHttpClient.JSON
                    .getTypeFactory()
                    .constructMapType(TreeMap.class, String.class, Object.class);
    private static final Set<Integer> ACCEPTED_STATUSES = Set.of(404);

    private record Way(RestClient client, String service) {}

    /** Sends all requests that openstack4j makes in a call, on this thread, through a client. */
    static <T extends @Nullable Object> T callThrough(
            RestClient client, String service, Supplier<T> call) {
        return ScopedValue.where(CURRENT_ROUTE, new Way(client, service)).call(call::get);
    }

    @Override
    public <R> HttpResponse execute(HttpRequest<R> request) {
        Way way = CURRENT_ROUTE.get();
        URI url = URI.create(request.getUrl());
        Map<String, String> headers = new TreeMap<>();
        request.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
        // Our token is the one that is renewed.
        headers.remove(ClientConstants.HEADER_X_AUTH_TOKEN);
        CloudRequest ours =
                new CloudRequest(
                        request.getMethod().name(),
                        way.service(),
                        url.getPath(),
                        headers,
                        body(request),
                        ACCEPTED_STATUSES);
        return new Response(way.client().exchange(ours, session -> url));
    }

    private static @Nullable Map<String, ?> body(HttpRequest<?> request) {
        Object entity = request.getEntity();
        if (entity instanceof InputStream) {
            throw new UnsupportedOperationException("only JSON is sent");
        }
        try {
            String json =
                    entity == null
                            ? request.getJson()
                            : ObjectMapperSingleton.getContext(entity.getClass())
                                    .writeValueAsString(entity);
            return json.isBlank() ? null : JsonHttpClient.JSON.readValue(json, OBJECT_TYPE);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("cannot be written: " + entity, noJson);
        }
    }

    @Override
    public String getExecutorDisplayName() {
        return "Leasehold";
    }

    /** A response in the form that openstack4j reads. */
    private record Response(JsonHttpClient.Reply reply) implements HttpResponse {

        @Override
        public <T> @Nullable T getEntity(Class<T> type) {
            return getEntity(type, null);
        }

        @Override
        public <T> @Nullable T getEntity(Class<T> type, @Nullable ExecutionOptions<T> options) {
            return HttpEntityHandler.handle(this, type, options, true);
        }

        @Override
        public <T> T readEntity(Class<T> type) {
            try {
                return ObjectMapperSingleton.getContext(type).readValue(json(), type);
            } catch (JsonProcessingException strange) {
                throw new ClientResponseException(
                        strange.getOriginalMessage(), getStatus(), strange);
            }
        }

        @Override
        public int getStatus() {
            return reply.status();
        }

        @Override
        public String getStatusMessage() {
            return "HTTP " + reply.status();
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(json().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public @Nullable String header(String name) {
            return reply.headers().get(name);
        }

        @Override
        public Map<String, String> headers() {
            return reply.headers();
        }

        @Override
        public String getContentType() {
            return Objects.toString(header(ClientConstants.HEADER_CONTENT_TYPE), "");
        }

        private String json() {
            return reply.body().isMissingNode() ? "{}" : reply.body().toString();
        }

        @Override
        public void close() {
            // The whole response is in memory already.
        }
    }
}
