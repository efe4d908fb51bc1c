package org.leasehold.gateway.api.refusal;

import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.refusal.Refusals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns the refusals of a test, one a page, and records queries. */
public final class FakeRefusals implements Refusals {

    private final List<Refusal> refusals = new CopyOnWriteArrayList<>();
    private final List<RefusalCount> counts = new CopyOnWriteArrayList<>();
    private final List<ListRefusals> questions = new CopyOnWriteArrayList<>();

    void add(Refusal refusal) {
        refusals.add(refusal);
    }

    void add(RefusalCount count) {
        counts.add(count);
    }

    void clear() {
        refusals.clear();
        counts.clear();
        questions.clear();
    }

    List<ListRefusals> questions() {
        return questions;
    }

    @Override
    public Page<Refusal> page(ListRefusals question) {
        questions.add(question);
        String marker = question.marker();
        int at = marker == null ? 0 : Page.parseMarker(marker, Integer::valueOf);
        return Page.of(
                refusals.stream().skip(at).limit(2).toList(), 1, _ -> Integer.toString(at + 1));
    }

    @Override
    public List<RefusalCount> count(ListRefusals question) {
        return counts;
    }
}
