package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A list that a service returns in pages, because its operator limits their size.
 *
 * @param first requests the first page; its path has a query
 * @param name of the list in the response
 * @param gone the status if the last entry of a page was deleted meanwhile: the marker is gone with
 *     it
 */
public record PagedQuery(Cloud cloud, CloudRequest first, String name, int gone) {

    /** The most attempts, each from the first page. */
    private static final int MAX_ATTEMPTS = 10;

    /** Returns the complete list. */
    public List<JsonNode> readAll() {
        for (int look = 0; look < MAX_ATTEMPTS; look++) {
            Optional<List<JsonNode>> all = tryReadAll();
            if (all.isPresent()) {
                return all.get();
            }
        }
        throw new CloudFailure(
                Fault.Kind.RETRYABLE,
                gone,
                "The %s changed %s times while they were listed".formatted(name, MAX_ATTEMPTS));
    }

    private Optional<List<JsonNode>> tryReadAll() {
        List<JsonNode> all = new ArrayList<>();
        CloudResponse page = cloud.rest().send(first);
        while (page.status() != gone) {
            page.body().path(name).valueStream().forEach(all::add);
            if (page.body().path(name + "_links").isEmpty()) {
                return Optional.of(all);
            }
            page = cloud.rest().send(pageAfter(all.getLast().path("id").asString("")));
        }
        return Optional.empty();
    }

    private CloudRequest pageAfter(String last) {
        return first.withQuery("marker=" + URLEncoder.encode(last, StandardCharsets.UTF_8))
                .expecting(gone);
    }
}
