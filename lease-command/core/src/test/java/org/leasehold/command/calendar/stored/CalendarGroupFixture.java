package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Held;

import java.util.Objects;

/** A calendar with a full memory, whose commands a test runs as one group. */
abstract class CalendarGroupFixture {

    final PostgresCalendarFixture database = new PostgresCalendarFixture().withHosts(3);
    final Calendar calendar = database.calendar();
    final CalendarGroupCommit group = Objects.requireNonNull(database.group);

    @BeforeEach
    void fillMemory() {
        database.loadMemory(calendar);
    }

    Grant settle(CalendarRequest<?> request) {
        return calendar.executeAndDecide(request, grant -> grant, _ -> true);
    }

    Grant takeUp(Calendar at, SampleRequests.SampleLease lease, Grant held) {
        return at.executeAndDecide(lease.takeUp(held), each -> each, _ -> true);
    }

    Grant hold(SampleRequests.SampleLease lease) {
        Grant grant = calendar.executeAndDecide(lease.hold(), each -> each, _ -> true);
        assertThat(grant).isInstanceOf(Held.class);
        return grant;
    }

    Grant hold(Calendar at, SampleRequests.SampleLease lease) {
        return database.settle(at, lease.hold());
    }
}
