package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A list that a service tells page by page, because its operator lets it tell no more at a time.
 *
 * @param first asks for the first page; its path has a query
 * @param name of the list in the answer
 * @param gone what the service answers if the last thing of a page was deleted meanwhile, and with
 *     it the place to go on from
 */
public record Pages(Cloud cloud, Request first, String name, int gone) {

    /** How often it is begun anew. */
    private static final int MOST_LOOKS = 10;

    /** All of it. */
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
