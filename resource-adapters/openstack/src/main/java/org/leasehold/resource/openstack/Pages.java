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
public record Pages(Cloud cloud, Request first, String name, int gone) {

    /** The most attempts, each from the first page. */
    private static final int MOST_LOOKS = 10;

    /** Returns the complete list. */
    public List<JsonNode> all() {
        for (int look = 0; look < MOST_LOOKS; look++) {
            Optional<List<JsonNode>> all = read();
            if (all.isPresent()) {
                return all.get();
            }
        }
        throw new CloudFailure(
                Fault.Kind.RETRYABLE,
                gone,
                "The %s changed %s times while they were listed".formatted(name, MOST_LOOKS));
    }

    private Optional<List<JsonNode>> read() {
        List<JsonNode> all = new ArrayList<>();
        Answer page = cloud.rest().send(first);
        while (page.status() != gone) {
            page.body().path(name).valueStream().forEach(all::add);
            if (page.body().path(name + "_links").isEmpty()) {
                return Optional.of(all);
            }
            page = cloud.rest().send(after(all.getLast().path("id").asString("")));
        }
        return Optional.empty();
    }

    private Request after(String last) {
        return first.and("marker=" + URLEncoder.encode(last, StandardCharsets.UTF_8))
                .expecting(gone);
    }
}
