package org.leasehold.resource.openstack.version;

import tools.jackson.databind.JsonNode;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The microversions that a service has, from the oldest to the newest. */
public record MicroversionRange(Microversion oldest, Microversion newest) {

    /**
     * Returns the range in a version document. A document describes one API ({@code version}) or a
     * list of them ({@code versions}), where old ones have no microversions. Placement calls the
     * newest one {@code max_version}, and other services {@code version}.
     *
     * @return the range of the newest API; empty if no API has microversions
     */
    public static Optional<MicroversionRange> parse(JsonNode document) {
        JsonNode single = document.path("version");
        Stream<JsonNode> apis =
                single.isObject() ? Stream.of(single) : document.path("versions").valueStream();
        return apis.flatMap(api -> parseApi(api).stream())
                .max(Comparator.comparing(MicroversionRange::newest));
    }

    private static Optional<MicroversionRange> parseApi(JsonNode api) {
        String newest = api.path("max_version").asString(api.path("version").asString(""));
        return Microversion.parse(api.path("min_version").asString(""))
                .flatMap(
                        oldest ->
                                Microversion.parse(newest)
                                        .map(found -> new MicroversionRange(oldest, found)));
    }

    /** Returns the range in words, such as {@code 2.1 to 2.100}. */
    @Override
    public String toString() {
        return oldest + " to " + newest;
    }
}
