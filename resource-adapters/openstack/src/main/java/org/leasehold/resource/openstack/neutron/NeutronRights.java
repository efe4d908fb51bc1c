package org.leasehold.resource.openstack.neutron;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.RequiredRights;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/**
 * The rights that plug-ins need in Neutron. It hides things instead of denying access, so each
 * trial reads what only administrators see.
 */
public final class NeutronRights {

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;
    private final RequiredRights rights;

    public NeutronRights(Cloud cloud, RequiredRights rights) {
        this.cloud = cloud;
        this.rights = rights;
    }

    /** Adds the right to external networks. Without any, nothing can be leased or shown. */
    public NeutronRights externalNetworks() {
        rights.addQuery(
                Neutron.NETWORK,
                "see external networks as an administrator",
                () ->
                        get(Neutron.NETWORKS + "?router%3Aexternal=True")
                                .path("networks")
                                .forEach(NeutronRights::requireSegment));
        return this;
    }

    public NeutronRights floatingIps() {
        rights.addQuery(
                "list floating IPs",
                CloudRequest.get(Neutron.NETWORK, Neutron.FLOATING_IPS + "?limit=1"));
        return this;
    }

    /** Adds the right to networks. The trial's network has no subnets and ports. */
    public NeutronRights networks() {
        rights.addCreation(
                Neutron.NETWORK,
                "make a network, see its segment and delete it",
                name ->
                        requireSegment(
                                cloud.rest()
                                        .send(
                                                CloudRequest.post(
                                                        Neutron.NETWORK,
                                                        Neutron.NETWORKS,
                                                        Map.of(
                                                                "network",
                                                                Map.of(
                                                                        "name",
                                                                        name,
                                                                        "admin_state_up",
                                                                        false))))
                                        .body()
                                        .path("network")),
                name ->
                        get(Neutron.NETWORKS + "?name=" + name)
                                .path("networks")
                                .forEach(found -> delete(found.path("id").asString(""))));
        return this;
    }

    private static void requireSegment(JsonNode network) {
        if (!network.has(Neutron.NETWORK_TYPE)) {
            throw new CloudFailure(
                    Fault.Kind.DENIED,
                    CloudFailure.NO_ANSWER,
                    "network shows no %s of a network".formatted(Neutron.NETWORK_TYPE));
        }
    }

    private JsonNode get(String path) {
        return cloud.rest().send(CloudRequest.get(Neutron.NETWORK, path)).body();
    }

    private void delete(String id) {
        cloud.rest()
                .send(
                        CloudRequest.delete(Neutron.NETWORK, Neutron.NETWORKS + "/" + id)
                                .expecting(NOT_FOUND));
    }
}
