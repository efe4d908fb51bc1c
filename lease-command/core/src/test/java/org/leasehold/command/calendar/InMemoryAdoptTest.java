package org.leasehold.command.calendar;

class InMemoryAdoptTest extends AdoptContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
