package org.leasehold.command.calendar.stored;

class AdoptTest extends AdoptContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
