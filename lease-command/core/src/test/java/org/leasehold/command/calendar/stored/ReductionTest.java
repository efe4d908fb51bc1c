package org.leasehold.command.calendar.stored;

class ReductionTest extends ReductionContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
