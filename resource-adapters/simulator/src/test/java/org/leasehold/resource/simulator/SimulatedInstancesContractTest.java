package org.leasehold.resource.simulator;

class SimulatedInstancesContractTest extends InstancesContract {

    SimulatedInstancesContractTest() {
        super(new SimulatedInstancesProvider());
    }
}
