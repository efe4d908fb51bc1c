package org.leasehold.saga.waiting;

class InMemoryWaitsTest extends WaitsContract {

    private final Waits waits = new InMemoryWaits();

    @Override
    Waits waits() {
        return waits;
    }
}
