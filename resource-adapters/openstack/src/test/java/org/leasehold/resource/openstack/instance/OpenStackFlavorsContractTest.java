package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.util.List;
import java.util.Map;

/** The contract of the plug-in whose slots have a flavor's size. */
class OpenStackFlavorsContractTest extends OpenStackInstancesContractTest {

    @Override
    FakeNova nova(List<String> hosts) {
        FakeNova nova = super.nova(hosts);
        nova.makeFlavor(
                        "m1 small",
                        Map.of(
                                "name",
                                "small",
                                "vcpus",
                                2,
                                "ram",
                                1_024,
                                "disk",
                                8,
                                "OS-FLV-EXT-DATA:ephemeral",
                                2))
                .extraSpecs
                .put("hw:numa_nodes", "1");
        return nova;
    }

    @Override
    ResourcePlugin plugin(CloudSettings settings, PollingWait patience) {
        return OpenStackInstancesPlugin.ofFlavors(settings, patience);
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("flavor_id", "m1 small", "amount", 2, "affinity", "none");
    }
}
