package org.leasehold.command.calendar.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.stored.SampleRequests;

import java.util.List;
import java.util.SplittableRandom;

/** A refusal from memory is the refusal that the tables would give, at the same position. */
class MemoryRefusalTest extends MemoryRefusalFixture {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void memory_and_tables_give_equal_refusals(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int refusals = 0;
        updateMemory();
        for (int number = 0; number < 150; number++) {
            if (random.nextInt(4) == 0) {
                decide(fromTables, randomLease(random));
                database.happen();
            }
            if (random.nextBoolean()) {
                updateMemory();
            }
            memory.duringWait = () -> memory.load(database.jdbc);
            reads.clear();
            SampleRequests.SampleLease lease = randomLease(random);
            Grant answer = decideWithoutEffect(fromMemory, lease);
            if (answer instanceof Grant.HoldRefused refused) {
                assertThat(reads).isEmpty();
                assertThat(refused).isEqualTo(decideWithoutEffect(fromTables, lease));
                refusals++;
            }
        }
        assertThat(refusals).isGreaterThan(20);
    }

    private static SampleRequests.SampleLease randomLease(SplittableRandom random) {
        int start = random.nextInt(12);
        Demand[] demands = new Demand[1 + random.nextInt(2)];
        for (int i = 0; i < demands.length; i++) {
            demands[i] = randomDemand(random);
        }
        return lease(hours(start, start + 1 + random.nextInt(6)), demands);
    }

    private static Demand randomDemand(SplittableRandom random) {
        int count = 1 + random.nextInt(4);
        return switch (random.nextInt(4)) {
            case 0 -> hosts(count, count, having("gpu", "yes"));
            case 1 -> hosts(count, "host-" + (1 + random.nextInt(HOSTS + 1)));
            case 2 ->
                    slots(
                            count,
                            20 + random.nextInt(30),
                            SPREADS.get(random.nextInt(SPREADS.size())));
            default -> hosts(count, count + 1);
        };
    }

    @Test
    void a_refusal_from_memory_names_the_scarcest_part_of_the_window() {
        hold(lease(hours(1, 2), hosts(HOSTS, HOSTS)));
        updateMemory();
        Grant.HoldRefused refused =
                (Grant.HoldRefused) decide(fromMemory, lease(hours(0, 4), hosts(1, 1)));
        assertThat(reads).isEmpty();
        assertThat(refused.shortages())
                .singleElement()
                .satisfies(
                        shortage -> {
                            assertThat(shortage.part()).isEqualTo(hours(1, 2));
                            assertThat(shortage.freeInPart()).isZero();
                        });
    }

    @Test
    void beyond_the_explanation_limit_no_claims_are_listed() {
        Calendar brief = calendar(0);
        decide(brief, lease(hours(90, 91), hosts(1, 1)));
        hold(lease(hours(1, 2), hosts(HOSTS - 1, HOSTS - 1)));
        updateMemory();
        Grant.HoldRefused refused =
                (Grant.HoldRefused) decide(brief, lease(hours(0, 4), hosts(2, 2)));
        assertThat(reads).isEmpty();
        assertThat(refused.shortages())
                .singleElement()
                .satisfies(
                        shortage -> {
                            assertThat(shortage.free()).isOne();
                            assertThat(shortage.part()).isEqualTo(hours(0, 4));
                        });
    }

    @Test
    void all_reservations_of_a_request_share_the_explanation_limit() {
        Calendar limited = calendar(HOSTS);
        decide(limited, lease(hours(90, 91), hosts(1, 1)));
        hold(lease(hours(1, 2), hosts(HOSTS, HOSTS)));
        updateMemory();
        Grant.HoldRefused refused =
                (Grant.HoldRefused) decide(limited, lease(hours(0, 4), hosts(1, 1), hosts(2, 2)));
        assertThat(reads).isEmpty();
        assertThat(refused.shortages())
                .extracting(Shortage::part)
                .containsExactly(hours(1, 2), hours(0, 4));
    }

    @Test
    void a_refusal_of_a_change_counts_the_own_hosts_as_free() {
        SampleRequests.SampleLease changed = lease(hours(0, 2), hosts(2, 2));
        hold(changed);
        hold(lease(hours(1, 3), hosts(HOSTS - 2, HOSTS - 2)));
        updateMemory();

        Grant.HoldRefused refused =
                (Grant.HoldRefused)
                        database.decide(
                                fromMemory,
                                changed.change(hours(1, 3), hosts(3, 3), List.of(1L, 2L), false));

        assertThat(reads).contains("survey");
        assertThat(refused.shortages())
                .singleElement()
                .satisfies(
                        shortage -> {
                            // Memory has the own hosts as claimed, and would count none.
                            assertThat(shortage.free()).isEqualTo(2);
                            assertThat(shortage.part()).isEqualTo(hours(1, 3));
                            assertThat(shortage.freeInPart()).isEqualTo(2);
                        });
        assertThat(database.claims(changed.reservation())).hasSize(2);
    }

    @Test
    void a_group_refuses_from_memory_until_a_command_is_accepted() {
        hold(lease(hours(0, 2), hosts(HOSTS, HOSTS)));
        updateMemory();
        SampleRequests.SampleLease refused = lease(hours(0, 2), hosts(1, 1));
        Grant alone = decideWithoutEffect(fromTables, refused);
        reads.clear();
        database.together(
                () -> {
                    assertThat(settle(refused.hold())).isEqualTo(alone);
                    assertThat(settle(refused.hold())).isEqualTo(alone);
                    group.endRefusals();
                    assertThatThrownBy(() -> settle(refused.hold()))
                            .isInstanceOf(DecideAloneException.class);
                });
        assertThat(reads).isEmpty();
    }

    @Test
    void a_rehearsal_is_refused_by_the_tables() throws Exception {
        // A rehearsal runs beside a group, whose claims memory has before they are committed.
        hold(lease(hours(0, 2), hosts(HOSTS, HOSTS)));
        updateMemory();
        assertThat(group.rehearse(() -> decide(fromMemory, lease(hours(0, 2), hosts(1, 1)))))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(reads).contains("survey");
    }
}
