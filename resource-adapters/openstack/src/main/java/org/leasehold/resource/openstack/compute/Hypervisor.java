package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A hypervisor as Nova knows it.
 *
 * @param host its compute service, which is what aggregates hold; often, but not always, of the
 *     same name
 * @param usable whether its compute service runs, and is not switched off
 * @param attributes what an enrolment learns of it, under Blazar's names
 * @param servers the ids of those on it, whatever state they are in
 */
public record Hypervisor(
        String name,
        String host,
        boolean usable,
        Map<String, @Nullable Object> attributes,
        List<String> servers) {

    public Hypervisor {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        servers = List.copyOf(servers);
    }
}
