package org.leasehold.resource.openstack.cinder;

import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.RequiredRights;

/** The rights that plug-ins need in Cinder. Queries show them: a volume costs room and time. */
public final class CinderRights {

    private CinderRights() {}

    public static void addTo(RequiredRights rights) {
        rights.addQuery(
                        "see how much room pools have",
                        CloudRequest.get(Cinder.BLOCK_STORAGE, Cinder.POOLS))
                .addQuery(
                        "list volume types, private ones included",
                        CloudRequest.get(Cinder.BLOCK_STORAGE, Cinder.TYPES))
                .addQuery(
                        "list the volumes of all projects",
                        CloudRequest.get(
                                Cinder.BLOCK_STORAGE,
                                Cinder.VOLUMES + "/detail?all_tenants=1&limit=1"));
    }
}
