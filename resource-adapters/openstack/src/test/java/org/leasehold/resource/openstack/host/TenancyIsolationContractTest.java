package org.leasehold.resource.openstack.host;

class TenancyIsolationContractTest extends FakeNovaHostsContract {

    @Override
    HostIsolation isolation() {
        return HostIsolation.TENANCY;
    }
}
