package org.leasehold.resource.openstack.host;

class TenancyContractTest extends OnPaperContract {

    @Override
    Isolation isolation() {
        return Isolation.TENANCY;
    }
}
