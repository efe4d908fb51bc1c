package org.leasehold.gateway.api.usage;

import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.IdleLeases;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns the idle leases of a test, one a page, and records queries. */
public final class FakeIdleLeases implements IdleLeases {

    private final List<IdleLease> leases = new CopyOnWriteArrayList<>();
    private final List<ListIdleLeases> questions = new CopyOnWriteArrayList<>();

    void add(IdleLease lease) {
        leases.add(lease);
    }

    void clear() {
        leases.clear();
        questions.clear();
    }

    List<ListIdleLeases> questions() {
        return questions;
    }

    @Override
    public Page<IdleLease> page(ListIdleLeases question) {
        questions.add(question);
        String marker = question.marker();
        int at = marker == null ? 0 : Page.parseMarker(marker, Integer::valueOf);
        return Page.of(
                leases.stream().skip(at).limit(2).toList(), 1, _ -> Integer.toString(at + 1));
    }
}
