package org.leasehold.command.calendar;

class InMemoryShareTest extends ShareContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
