package org.leasehold.command.request;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;

import java.util.List;
import java.util.function.UnaryOperator;

/** The data about a transaction that the sender of a command gets beside the handler's answer. */
public final class CommandReceipt {

    private final boolean rehearsal;
    private @Nullable Long position;
    private List<Object> events = List.of();
    private UnaryOperator<List<Shortage>> nextStartSearch = UnaryOperator.identity();

    private CommandReceipt(boolean rehearsal) {
        this.rehearsal = rehearsal;
    }

    public static CommandReceipt ofCommand() {
        return new CommandReceipt(false);
    }

    public static CommandReceipt ofRehearsal() {
        return new CommandReceipt(true);
    }

    public boolean isRehearsal() {
        return rehearsal;
    }

    public void setPosition(long last) {
        position = last;
    }

    /** Returns the position of the last event; null if nothing was appended. */
    public @Nullable Long position() {
        return position;
    }

    public void setEvents(List<Object> decided) {
        events = List.copyOf(decided);
    }

    public List<Object> events() {
        return events;
    }

    public void setNextStartSearch(UnaryOperator<List<Shortage>> search) {
        nextStartSearch = search;
    }

    /** Returns the function that adds next starts to shortages; it reads the calendar. */
    public UnaryOperator<List<Shortage>> nextStartSearch() {
        return nextStartSearch;
    }
}
