package org.leasehold.command.calendar.stored;

class InMemoryShareChangeTest extends ShareChangeContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
