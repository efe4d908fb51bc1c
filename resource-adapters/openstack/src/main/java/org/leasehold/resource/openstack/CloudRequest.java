package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One request to a service of the cloud.
 *
 * @param service its type in the catalog, such as {@code placement}
 * @param path below the service's address, with the query
 * @param headers besides the token; a microversion, for instance
 * @param body JSON values; null for none
 * @param expected statuses above 299 that are valid responses, and no failure
 */
public record CloudRequest(
        String method,
        String service,
        String path,
        Map<String, String> headers,
        @Nullable Map<String, ?> body,
        Set<Integer> expected) {

    public CloudRequest {
        headers = Map.copyOf(headers);
        expected = Set.copyOf(expected);
    }

    public static CloudRequest get(String service, String path) {
        return new CloudRequest("GET", service, path, Map.of(), null, Set.of());
    }

    public static CloudRequest post(String service, String path, Map<String, ?> body) {
        return new CloudRequest("POST", service, path, Map.of(), body, Set.of());
    }

    public static CloudRequest put(String service, String path, Map<String, ?> body) {
        return new CloudRequest("PUT", service, path, Map.of(), body, Set.of());
    }

    public static CloudRequest patch(String service, String path, Map<String, ?> body) {
        return new CloudRequest("PATCH", service, path, Map.of(), body, Set.of());
    }

    public static CloudRequest delete(String service, String path) {
        return new CloudRequest("DELETE", service, path, Map.of(), null, Set.of());
    }

    public CloudRequest header(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new CloudRequest(method, service, path, more, body, expected);
    }

    /** Returns the same request with more in its query, which must exist. */
    CloudRequest withQuery(String more) {
        return new CloudRequest(method, service, path + "&" + more, headers, body, expected);
    }

    /** Sets the microversion of the service's API. */
    public CloudRequest microversion(String version) {
        return header("OpenStack-API-Version", service + " " + version);
    }

    /** Returns the same request; responses with these statuses are returned, not thrown. */
    public CloudRequest expecting(int... statuses) {
        Set<Integer> all =
                Stream.concat(expected.stream(), Arrays.stream(statuses).boxed())
                        .collect(Collectors.toSet());
        return new CloudRequest(method, service, path, headers, body, all);
    }

    /** Returns whether a repetition is harmless. */
    boolean isReadOnly() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** Returns a text for people; without the body, which may hold secrets. */
    @Override
    public String toString() {
        return method + " " + path + " of " + service;
    }
}
