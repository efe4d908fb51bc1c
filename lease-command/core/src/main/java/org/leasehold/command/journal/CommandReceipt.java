package org.leasehold.command.journal;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;

import java.util.List;
import java.util.function.UnaryOperator;

/** The data about a transaction that the sender of a command gets beside the handler's answer. */
final class CommandReceipt {

    private final boolean rehearsal;
    private @Nullable Long position;
    private List<Object> events = List.of();
    private UnaryOperator<List<Shortage>> nextStartSearch = UnaryOperator.identity();

    private CommandReceipt(boolean rehearsal) {
        this.rehearsal = rehearsal;
    }

    static CommandReceipt ofCommand() {
        return new CommandReceipt(false);
    }

    static CommandReceipt ofRehearsal() {
        return new CommandReceipt(true);
    }

    boolean isRehearsal() {
        return rehearsal;
    }

    void setPosition(long last) {
        position = last;
    }

    /** Returns the position of the last event; null if nothing was appended. */
    @Nullable Long position() {
        return position;
    }

    void setEvents(List<Object> decided) {
        events = List.copyOf(decided);
    }

    List<Object> events() {
        return events;
    }

    void setNextStartSearch(UnaryOperator<List<Shortage>> itsSearch) {
        nextStartSearch = itsSearch;
    }

    /** Returns the function that adds next starts to shortages; it reads the calendar. */
    UnaryOperator<List<Shortage>> nextStartSearch() {
        return nextStartSearch;
    }
}
