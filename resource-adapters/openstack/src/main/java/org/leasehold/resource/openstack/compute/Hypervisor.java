package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A hypervisor in Nova.
 *
 * @param id Nova's id, which is Placement's as well
 * @param host its compute service, which is what aggregates hold; often, but not always, of the
 *     same name
 * @param up whether its compute service runs
 * @param enabled whether it accepts new servers; a disabled one still runs those on it
 * @param attributes its properties for an enrolment, under Blazar's names
 * @param servers the ids of those on it, in any state
 */
public record Hypervisor(
        String id,
        String name,
        String host,
        boolean up,
        boolean enabled,
        Map<String, @Nullable Object> attributes,
        List<String> servers) {

    public Hypervisor {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        servers = List.copyOf(servers);
    }

    /** Returns whether it can be leased. */
    public boolean isUsable() {
        return up && enabled;
    }

    /** Returns the failure that it cannot be leased. */
    public CloudFailure failure(String why) {
        return failure(name, why);
    }

    public static CloudFailure failure(String name, String why) {
        return new CloudFailure(
                Fault.Kind.INSUFFICIENT_RESOURCES,
                CloudFailure.NO_ANSWER,
                "The host " + name + " " + why);
    }
}
