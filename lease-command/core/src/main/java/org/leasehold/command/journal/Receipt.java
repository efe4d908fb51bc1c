package org.leasehold.command.journal;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;

import java.util.List;
import java.util.function.UnaryOperator;

/** The data about a transaction that the sender of a command gets beside the handler's answer. */
final class Receipt {

    private final boolean rehearsal;
    private @Nullable Long position;
    private List<Object> events = List.of();
    private UnaryOperator<List<Shortage>> search = UnaryOperator.identity();

    private Receipt(boolean rehearsal) {
        this.rehearsal = rehearsal;
    }

    static Receipt ofCommand() {
        return new Receipt(false);
    }

    static Receipt ofRehearsal() {
        return new Receipt(true);
    }

    boolean isRehearsal() {
        return rehearsal;
    }

    void stored(long last) {
        position = last;
    }

    /** Returns the position of the last event; null if nothing was appended. */
    @Nullable Long position() {
        return position;
    }

    void rehearsed(List<Object> decided) {
        events = List.copyOf(decided);
    }

    List<Object> events() {
        return events;
    }

    void refused(UnaryOperator<List<Shortage>> itsSearch) {
        search = itsSearch;
    }

    /** Returns the function that adds next starts to shortages; it reads the calendar. */
    UnaryOperator<List<Shortage>> search() {
        return search;
    }
}
