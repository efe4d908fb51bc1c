package org.leasehold.command.calendar.stored;

class InMemoryReductionTest extends ReductionContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
