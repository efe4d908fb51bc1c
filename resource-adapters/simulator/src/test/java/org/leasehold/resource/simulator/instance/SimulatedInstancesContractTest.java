package org.leasehold.resource.simulator.instance;

class SimulatedInstancesContractTest extends InstancesContract {

    SimulatedInstancesContractTest() {
        super(new SimulatedInstancesProvider());
    }
}
