package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.RequiredRights;

import java.util.Map;

/** The rights that plug-ins need in Nova, and in Glance for images of servers. */
public final class NovaRights {

    private static final int NOT_FOUND = 404;

    private static final Map<String, String> MARK = Map.of("leasehold:check", "true");

    private final Cloud cloud;
    private final RequiredRights rights;

    public NovaRights(Cloud cloud, RequiredRights rights) {
        this.cloud = cloud;
        this.rights = rights;
    }

    public NovaRights hypervisors() {
        rights.addQuery(
                "list hypervisors",
                CloudRequest.get(Nova.COMPUTE, "/os-hypervisors/detail?limit=1")
                        .microversion(Nova.HYPERVISORS_MICROVERSION));
        return this;
    }

    public NovaRights servers() {
        rights.addQuery(
                "list the servers of all projects",
                CloudRequest.get(Nova.COMPUTE, Nova.ALL_SERVERS + "&limit=1"));
        return this;
    }

    /** Adds the right to read moves of servers. To try the moves themselves takes a server. */
    public NovaRights migrations() {
        rights.addQuery(
                "list the migrations of servers",
                CloudRequest.get(Nova.COMPUTE, NovaMigrations.MIGRATIONS + "?status=none"));
        return this;
    }

    public NovaRights zones() {
        rights.addQuery(
                "list availability zones with their hosts",
                CloudRequest.get(Nova.COMPUTE, Nova.ZONES));
        return this;
    }

    public NovaRights images() {
        rights.addQuery("list images", CloudRequest.get(Nova.IMAGE, "/v2/images?limit=1"));
        return this;
    }

    public NovaRights serverGroups() {
        rights.addQuery(
                "list the server groups of all projects",
                CloudRequest.get(
                        Nova.COMPUTE, "/os-server-groups?limit=1&offset=0&all_projects=True"));
        return this;
    }

    /** Adds the right to aggregates. The trial's host does not exist: Nova checks rights first. */
    public NovaRights aggregates() {
        Nova nova = new Nova(cloud);
        NovaChanges changes = nova.fencedBy(() -> true);
        rights.addCreation(
                Nova.COMPUTE,
                "make, change and delete an aggregate",
                name -> {
                    NovaAggregate own = changes.createAggregate(name, null);
                    changes.setMetadata(own, MARK);
                    changes.add(own, name);
                    changes.remove(own, name);
                },
                name -> nova.aggregates().findByName(name).ifPresent(changes::delete));
        return this;
    }

    /** Adds the right to flavors. Only the engine's own project may use the trial's flavor. */
    public NovaRights flavors() {
        rights.addCreation(
                Nova.COMPUTE,
                "make and delete a flavor, and say who may use it",
                name -> {
                    Map<String, ?> fields =
                            Map.of(
                                    "id",
                                    name,
                                    "name",
                                    name,
                                    "vcpus",
                                    1,
                                    "ram",
                                    1,
                                    "disk",
                                    0,
                                    "os-flavor-access:is_public",
                                    false);
                    post("/flavors", Map.of("flavor", fields));
                    post("/flavors/" + name + "/os-extra_specs", Map.of("extra_specs", MARK));
                    String own = cloud.rest().projectId();
                    post(
                            "/flavors/" + name + "/action",
                            Map.of("addTenantAccess", Map.of("tenant", own)));
                },
                name ->
                        cloud.rest()
                                .send(
                                        CloudRequest.delete(Nova.COMPUTE, "/flavors/" + name)
                                                .expecting(NOT_FOUND)));
        return this;
    }

    private void post(String path, Map<String, ?> body) {
        cloud.rest().send(CloudRequest.post(Nova.COMPUTE, path, body));
    }
}
