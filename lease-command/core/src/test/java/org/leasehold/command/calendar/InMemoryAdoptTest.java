package org.leasehold.command.calendar;

class InMemoryAdoptTest extends AdoptContract {

    @Override
    CalendarWorld world() {
        return new CalendarInMemory();
    }
}
