package org.leasehold.resource.openstack.placement;

import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.RequiredRights;

import java.util.Locale;
import java.util.Map;

/** The rights that plug-ins need in Placement. */
public final class PlacementRights {

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;
    private final Placement placement;

    public PlacementRights(Cloud cloud) {
        this.cloud = cloud;
        this.placement = new Placement(cloud);
    }

    /** Adds the rights of hosts if the cloud has Placement: hosts work without it. */
    public void addReadRights(RequiredRights rights) {
        rights.addQuery(
                Placement.PLACEMENT,
                "list providers",
                () -> {
                    if (placement.isAvailable()) {
                        placement.generations();
                    }
                });
    }

    /** Adds the rights of instances. No server fits the trial's provider: its class is unique. */
    public void addChangeRights(RequiredRights rights) {
        rights.addCreation(
                Placement.PLACEMENT,
                "make and delete a resource class, a trait and a provider with both",
                this::createTrialObjects,
                this::deleteTrialObjects);
    }

    private void createTrialObjects(String name) {
        PlacementChanges changes = placement.fencedBy(() -> true);
        changes.createClass(customName(name));
        ResourceProvider provider =
                Placement.provider(
                        cloud.rest()
                                .send(
                                        Placement.versioned(
                                                CloudRequest.post(
                                                        Placement.PLACEMENT,
                                                        "/resource_providers",
                                                        Map.of("name", name))))
                                .body());
        changes.addTrait(provider, customName(name));
        changes.setTotal(provider, customName(name), 1);
    }

    private void deleteTrialObjects(String name) {
        placement.provider(name).ifPresent(found -> delete(Placement.pathOf(found)));
        delete(Placement.classPath(customName(name)));
        delete("/traits/" + customName(name));
    }

    private void delete(String path) {
        cloud.rest()
                .send(
                        Placement.versioned(
                                CloudRequest.delete(Placement.PLACEMENT, path)
                                        .expecting(NOT_FOUND)));
    }

    private static String customName(String name) {
        return "CUSTOM_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
