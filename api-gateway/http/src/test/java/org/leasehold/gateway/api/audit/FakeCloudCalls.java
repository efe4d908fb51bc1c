package org.leasehold.gateway.api.audit;

import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.CloudCalls;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns the calls of a test, one call a page, and records queries. */
public final class FakeCloudCalls implements CloudCalls {

    private final List<CloudCall> calls = new CopyOnWriteArrayList<>();
    private final List<ListCalls> questions = new CopyOnWriteArrayList<>();

    void add(CloudCall call) {
        calls.add(call);
    }

    void addFirst(CloudCall call) {
        calls.addFirst(call);
    }

    void forget() {
        calls.clear();
    }

    ListCalls lastQuestion() {
        return questions.getLast();
    }

    @Override
    public Page<CloudCall> list(ListCalls question) {
        questions.add(question);
        String marker = question.marker();
        int at = marker == null ? 0 : Page.parseMarker(marker, Integer::valueOf);
        return new Page<>(
                calls.stream().skip(at).limit(1).toList(),
                at + 1 < calls.size() ? Integer.toString(at + 1) : null);
    }
}
