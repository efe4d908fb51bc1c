package org.leasehold.gateway.api.usage;

import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Usages;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns the lines of a test, one line a page, and records queries. */
public final class FakeUsages implements Usages {

    private final List<Usage> lines = new CopyOnWriteArrayList<>();
    private final List<ListUsage> questions = new CopyOnWriteArrayList<>();

    void add(Usage line) {
        lines.add(line);
    }

    void clear() {
        lines.clear();
        questions.clear();
    }

    List<ListUsage> questions() {
        return questions;
    }

    @Override
    public Page<Usage> page(ListUsage question) {
        questions.add(question);
        String marker = question.marker();
        int at = marker == null ? 0 : Page.parseMarker(marker, Integer::valueOf);
        return Page.of(lines.stream().skip(at).limit(2).toList(), 1, _ -> Integer.toString(at + 1));
    }
}
