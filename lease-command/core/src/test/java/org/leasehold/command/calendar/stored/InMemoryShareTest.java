package org.leasehold.command.calendar.stored;

class InMemoryShareTest extends ShareContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
