package org.leasehold.resource.openstack.network;

/** The contract with the cut-offs of a real cloud, on a fake cloud. */
class InterruptedRetriesContractTest extends OpenStackNetworksContractTest {

    @Override
    protected boolean newAssignmentPerCutOff() {
        return false;
    }
}
