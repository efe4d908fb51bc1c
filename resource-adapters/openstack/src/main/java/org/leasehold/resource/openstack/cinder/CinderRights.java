package org.leasehold.resource.openstack.cinder;

import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.openstack.Rights;

/** The rights that plug-ins need in Cinder. Queries show them: a volume costs room and time. */
public final class CinderRights {

    private CinderRights() {}

    public static void of(Rights rights) {
        rights.ask("see how much room pools have", Request.get(Cinder.BLOCK_STORAGE, Cinder.POOLS))
                .ask(
                        "list volume types, private ones included",
                        Request.get(Cinder.BLOCK_STORAGE, Cinder.TYPES))
                .ask(
                        "list the volumes of all projects",
                        Request.get(
                                Cinder.BLOCK_STORAGE,
                                Cinder.VOLUMES + "/detail?all_tenants=1&limit=1"));
    }
}
