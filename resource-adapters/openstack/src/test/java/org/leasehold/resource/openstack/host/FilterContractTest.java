package org.leasehold.resource.openstack.host;

class FilterContractTest extends OnPaperContract {

    @Override
    Isolation isolation() {
        return Isolation.FILTER;
    }
}
