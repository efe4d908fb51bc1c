package org.leasehold.gateway.api;

import org.leasehold.query.Calendar;
import org.leasehold.query.Page;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells what a test says, one line a page, and remembers what it was asked. */
final class BookingsOnPaper implements Calendar {

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final List<ListBookings> questions = new CopyOnWriteArrayList<>();

    void add(Line line) {
        lines.add(line);
    }

    ListBookings lastQuestion() {
        return questions.getLast();
    }

    @Override
    public Page<Line> page(ListBookings question) {
        questions.add(question);
        String marker = question.marker();
        int at = marker == null ? 0 : Page.place(marker, Integer::valueOf);
        return new Page<>(
                lines.stream().skip(at).limit(1).toList(),
                at + 1 < lines.size() ? Integer.toString(at + 1) : null);
    }
}
