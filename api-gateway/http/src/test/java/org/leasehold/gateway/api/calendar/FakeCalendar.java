package org.leasehold.gateway.api.calendar;

import org.leasehold.gateway.limits.ClientThreadMarker;
import org.leasehold.gateway.limits.LongReadLimitException;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns the lines of a test, one line a page, and records queries. */
public final class FakeCalendar implements BookingCalendar {

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final List<ListBookings> questions = new CopyOnWriteArrayList<>();
    private volatile boolean othersRead;

    void add(Line line) {
        lines.add(line);
    }

    void clear() {
        lines.clear();
        questions.clear();
    }

    /** Sets whether other long reads use all connections of long reads. */
    void othersRead(boolean now) {
        othersRead = now;
    }

    ListBookings lastQuestion() {
        return questions.getLast();
    }

    @Override
    public Page<Line> page(ListBookings question) {
        if (othersRead && ClientThreadMarker.isLongRead()) {
            throw new IllegalStateException(new LongReadLimitException(Duration.ofSeconds(5)));
        }
        questions.add(question);
        String marker = question.marker();
        int at = marker == null ? 0 : Page.parseMarker(marker, Integer::valueOf);
        return new Page<>(
                lines.stream().skip(at).limit(1).toList(),
                at + 1 < lines.size() ? Integer.toString(at + 1) : null);
    }
}
