package org.leasehold.saga.waiting;

class InMemoryWaitingLeasesTest extends WaitingLeasesContract {

    private final WaitingLeases waits = new InMemoryWaitingLeases();

    @Override
    WaitingLeases waits() {
        return waits;
    }
}
