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
 * @param expected statuses above 399 that are valid responses, and no failure
 */
public record Request(
        String method,
        String service,
        String path,
        Map<String, String> headers,
        @Nullable Map<String, ?> body,
        Set<Integer> expected) {

    public Request {
        headers = Map.copyOf(headers);
        expected = Set.copyOf(expected);
    }

    public static Request get(String service, String path) {
        return new Request("GET", service, path, Map.of(), null, Set.of());
    }

    public static Request post(String service, String path, Map<String, ?> body) {
        return new Request("POST", service, path, Map.of(), body, Set.of());
    }

    public static Request put(String service, String path, Map<String, ?> body) {
        return new Request("PUT", service, path, Map.of(), body, Set.of());
    }

    public static Request patch(String service, String path, Map<String, ?> body) {
        return new Request("PATCH", service, path, Map.of(), body, Set.of());
    }

    public static Request delete(String service, String path) {
        return new Request("DELETE", service, path, Map.of(), null, Set.of());
    }

    public Request header(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Request(method, service, path, more, body, expected);
    }

    /** Returns the same request with more in its query, which must exist. */
    Request and(String more) {
        return new Request(method, service, path + "&" + more, headers, body, expected);
    }

    /** Sets the microversion of the service's API. */
    public Request microversion(String version) {
        return header("OpenStack-API-Version", service + " " + version);
    }

    /** Returns the same request; responses with these statuses are returned, not thrown. */
    public Request expecting(int... statuses) {
        Set<Integer> all =
                Stream.concat(expected.stream(), Arrays.stream(statuses).boxed())
                        .collect(Collectors.toSet());
        return new Request(method, service, path, headers, body, all);
    }

    /** Returns whether a repetition is harmless. */
    boolean changesNothing() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** Returns a text for people; without the body, which may hold secrets. */
    @Override
    public String toString() {
        return method + " " + path + " of " + service;
    }
}
