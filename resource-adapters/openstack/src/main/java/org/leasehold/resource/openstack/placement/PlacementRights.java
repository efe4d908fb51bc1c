package org.leasehold.resource.openstack.placement;

import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.openstack.Rights;

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
    public void read(Rights rights) {
        rights.ask(
                Placement.PLACEMENT,
                "list providers",
                () -> {
                    if (placement.isThere()) {
                        placement.generations();
                    }
                });
    }

    /** Adds the rights of instances. No server fits the trial's provider: its class is unique. */
    public void change(Rights rights) {
        rights.make(
                Placement.PLACEMENT,
                "make and delete a resource class, a trait and a provider with both",
                this::make,
                this::remove);
    }

    private void make(String name) {
        PlacementChanges changes = placement.fencedBy(() -> true);
        changes.createClass(custom(name));
        Provider provider =
                Placement.provider(
                        cloud.rest()
                                .send(
                                        Placement.versioned(
                                                Request.post(
                                                        Placement.PLACEMENT,
                                                        "/resource_providers",
                                                        Map.of("name", name))))
                                .body());
        changes.addTrait(provider, custom(name));
        changes.offer(provider, custom(name), 1);
    }

    private void remove(String name) {
        placement.provider(name).ifPresent(found -> delete(Placement.pathOf(found)));
        delete(Placement.classPath(custom(name)));
        delete("/traits/" + custom(name));
    }

    private void delete(String path) {
        cloud.rest()
                .send(
                        Placement.versioned(
                                Request.delete(Placement.PLACEMENT, path).expecting(NOT_FOUND)));
    }

    private static String custom(String name) {
        return "CUSTOM_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
