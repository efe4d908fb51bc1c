package org.leasehold.resource.simulator.instance;

import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.instance.Flavors;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.vocabulary.ProjectId;

/** The simulated cloud's flavors, which it shows only while it is available. */
final class SimulatedFlavors implements Flavors {

    private final CloudStore store;
    private final FlavorList flavors;

    SimulatedFlavors(CloudStore store, FlavorList flavors) {
        this.store = store;
        this.flavors = flavors;
    }

    @Override
    public Search find(String id, ProjectId project) {
        Result result =
                new SimulatedCloudCall(store, "find_flavor", null, () -> true)
                        .perform(unchanged -> {});
        return switch (result) {
            case Result.Failed failed -> new Search.Unknown(failed.fault());
            case Result.Done _ ->
                    flavors.find(id, project)
                            .<Search>map(Search.Found::new)
                            .orElseGet(Search.NotFound::new);
        };
    }
}
