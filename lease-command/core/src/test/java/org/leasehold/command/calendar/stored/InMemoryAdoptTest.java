package org.leasehold.command.calendar.stored;

class InMemoryAdoptTest extends AdoptContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
