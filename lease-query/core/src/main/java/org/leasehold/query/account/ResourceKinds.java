package org.leasehold.query.account;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The kinds of resources, from their first events, also of retired ones. */
public final class ResourceKinds {

    private static final String KINDS =
            """
            SELECT stream_id, payload ->> 'kind' FROM domain_event
            WHERE stream_id = ANY (?) AND sequence = 0
            """;

    private final JdbcTemplate jdbc;

    public ResourceKinds(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the kinds of some resources. */
    public Map<ResourceId, ResourceKind> of(Set<ResourceId> resources) {
        Map<ResourceId, ResourceKind> kinds = new HashMap<>();
        jdbc.query(
                KINDS,
                row -> {
                    kinds.put(
                            new ResourceId(Long.parseLong(row.getString(1))),
                            new ResourceKind(row.getString(2)));
                },
                (Object) resources.stream().map(ResourceId::toString).toArray(String[]::new));
        return kinds;
    }
}
