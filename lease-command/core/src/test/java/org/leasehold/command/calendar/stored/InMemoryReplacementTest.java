package org.leasehold.command.calendar.stored;

class InMemoryReplacementTest extends ReplacementContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
