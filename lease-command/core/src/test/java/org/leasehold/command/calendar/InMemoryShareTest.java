package org.leasehold.command.calendar;

class InMemoryShareTest extends ShareContract {

    @Override
    CalendarWorld world() {
        return new CalendarInMemory();
    }
}
