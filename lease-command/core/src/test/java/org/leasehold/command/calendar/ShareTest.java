package org.leasehold.command.calendar;

class ShareTest extends ShareContract {

    @Override
    CalendarWorld world() {
        return new CalendarDatabase();
    }
}
