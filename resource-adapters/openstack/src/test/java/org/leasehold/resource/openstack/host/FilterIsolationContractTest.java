package org.leasehold.resource.openstack.host;

class FilterIsolationContractTest extends FakeNovaHostsContract {

    @Override
    HostIsolation isolation() {
        return HostIsolation.FILTER;
    }
}
