package org.leasehold.command.calendar.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.stored.SampleRequests;

import java.util.List;
import java.util.Map;

/** Tests that a memory which is behind, outdated or incomplete does not refuse. */
class OutdatedMemoryTest extends MemoryRefusalFixture {

    @Test
    void a_memory_behind_the_event_log_does_not_refuse() {
        SampleRequests.SampleLease early = lease(hours(0, 2), hosts(HOSTS, HOSTS));
        hold(early);
        updateMemory();
        database.decide(
                fromTables, new CalendarRequest.GiveUp(early.id(), early.reservations(), NOON));
        database.happen();
        assertThat(decide(fromMemory, lease(hours(0, 2), hosts(1, 1))))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_choice_from_before_the_wait_does_not_refuse() {
        for (Demand demand : List.of(hosts(1, 1), slots(1, 1))) {
            SampleRequests.SampleLease early = lease(hours(0, 2), hosts(HOSTS, HOSTS));
            hold(early);
            updateMemory();
            database.decide(
                    fromTables, new CalendarRequest.GiveUp(early.id(), early.reservations(), NOON));
            database.happen();
            memory.duringWait = () -> memory.load(database.jdbc);
            assertThat(decideWithoutEffect(fromMemory, lease(hours(0, 2), demand)))
                    .isInstanceOf(Grant.Held.class);
        }
    }

    @Test
    void the_tables_refuse_if_memory_stays_behind() {
        hold(lease(hours(0, 2), hosts(HOSTS, HOSTS)));
        updateMemory();
        memory.waits = false;
        assertThat(decide(fromMemory, lease(hours(0, 2), hosts(1, 1))))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(reads).contains("survey");
    }

    @Test
    void a_memory_with_an_outdated_inventory_does_not_refuse() {
        hold(lease(hours(0, 2), hosts(HOSTS, HOSTS)));
        updateMemory();
        database.enrol(HOSTS + 1L, Map.of());
        assertThat(decide(fromMemory, lease(hours(0, 2), hosts(1, 1))))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void an_incomplete_memory_does_not_refuse() {
        hold(lease(hours(0, 2), hosts(HOSTS, HOSTS)));
        assertThat(decide(fromMemory, lease(hours(0, 2), hosts(1, 1))))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(reads).contains("survey");
    }

    @Test
    void a_group_with_an_outdated_memory_refuses_no_more() {
        hold(lease(hours(0, 2), hosts(HOSTS, HOSTS)));
        updateMemory();
        database.happen();
        SampleRequests.SampleLease refused = lease(hours(0, 2), hosts(1, 1));
        database.together(
                () -> {
                    assertThatThrownBy(() -> settle(refused.hold()))
                            .isInstanceOf(DecideAloneException.class);
                    assertThat(group.canRefuse()).isFalse();
                });
        assertThat(group.canRefuse()).isTrue();
    }
}
