package org.leasehold.saga.retry;

class InMemoryRetriedRequestsTest extends RetriedRequestsContract {

    private final RetriedRequests requests = new InMemoryRetriedRequests();

    @Override
    RetriedRequests requests() {
        return requests;
    }
}
