package org.leasehold.resource.openstack.host;

import org.leasehold.resource.InventoryResult;

import java.util.List;

/** A plug-in that reports the hosts of a cloud. */
abstract class HostInventoryFixture extends HostsFixture {

    InventoryResult.Known look(String... names) {
        return (InventoryResult.Known) acting.inventory(List.of(names));
    }
}
