package org.leasehold.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.whatif.TwoHostEvents.HOST;
import static org.leasehold.command.whatif.TwoHostEvents.START;
import static org.leasehold.command.whatif.TwoHostEvents.hour;
import static org.leasehold.command.whatif.TwoHostEvents.hours;
import static org.leasehold.command.whatif.TwoHostEvents.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Requests;
import org.leasehold.whatif.Comparison.Waiting;
import org.leasehold.whatif.WhatIf.NoSuchResource;
import org.leasehold.whatif.WhatIfScenario;
import org.leasehold.whatif.WhatIfScenario.More;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;

/** Tests the figures of scenarios with other hosts, other demand or other limits. */
class ScenarioComparisonTest extends ScenarioFixture {

    @Test
    void an_unchanged_scenario_reproduces_the_recorded_figures() {
        Comparison same = compare(past(), WhatIfScenario.ofUnchanged(START, END, 10));

        assertThat(of(same.recorded())).isEqualTo(sums("96", "96", "20", "0", "4", "0"));
        assertThat(of(same.recorded()).utilisation()).isEqualTo("0.2083");
        assertThat(same.recorded().requests()).isEqualTo(new Requests(1, 1, 0));
        assertThat(same.recorded().waiting())
                .isEqualTo(new Waiting(1, 0, Duration.ofHours(9), Duration.ofHours(9)));
        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(otherwise(same)).isEmpty();
        assertThat(same.events()).isEqualTo(11);
        assertThat(same.position()).isEqualTo(11);
    }

    @Test
    void a_decision_that_is_not_reproduced_is_reported() {
        // No lease was in its way.
        TwoHostEvents odd = past().refused(3, 12, hours(12, 13), 1);
        ScenarioComparison worlds =
                new ScenarioComparison(
                        WhatIfScenario.ofUnchanged(START, END, 10), new HostOnlyPlugins());
        worlds.replay(odd.recorded());
        Comparison comparison = worlds.finish();

        assertThat(comparison.notReproduced().first()).containsExactly(12L);
        assertThat(comparison.notReproduced().count()).isEqualTo(1);
        assertThat(comparison.changed()).isNotEqualTo(comparison.recorded());
    }

    @Test
    void an_unchanged_scenario_reproduces_early_attempts() {
        LeasePeriod window = hours(10, 12);
        Duration interval = Duration.ofHours(5);
        Comparison same =
                compare(
                        new TwoHostEvents()
                                .deleted(1, 0, 2, window, 1, 2)
                                .deleted(3, 2.5, 3, window, 1, 2)
                                .retried(
                                        2,
                                        1,
                                        window,
                                        new RetryPlan(1, 3, interval, hour(6), hour(10)))
                                .retried(
                                        2,
                                        2.75,
                                        window,
                                        new RetryPlan(
                                                1, 3, interval, hour(6), hour(10), 1, hour(2.8)))
                                .leased(2, 3.25, window, 1),
                        WhatIfScenario.ofUnchanged(START, END, 10));

        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(otherwise(same)).isEmpty();
    }

    @Test
    void the_retry_of_a_failed_removal_is_no_other_request() {
        TwoHostEvents past = new TwoHostEvents().reduced(1, 0, hours(1, 11), 3);
        Comparison same = compare(past, WhatIfScenario.ofUnchanged(START, END, 10));

        assertThat(of(same.recorded())).isEqualTo(sums("96", "96", "12", "0", "0", "0"));
        assertThat(same.recorded().requests()).isEqualTo(new Requests(1, 0, 0));
        assertThat(same.recorded().changes()).isEqualTo(new Requests(2, 0, 0));
        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(otherwise(same)).isEmpty();
    }

    @Test
    void a_scenario_gives_the_room_of_a_removed_reservation_to_others() {
        TwoHostEvents past =
                new TwoHostEvents().reduced(1, 0, hours(1, 11), 3).leased(2, 3.5, hours(5, 7), 2);
        Comparison more = compare(past, with(hosts(1, 0)));

        assertThat(more.changed().requests()).isEqualTo(new Requests(2, 0, 0));
        assertThat(otherwise(more)).isEmpty();
    }

    @Test
    void a_scenario_decides_an_exchange_of_what_it_refused_before() {
        TwoHostEvents past = new TwoHostEvents().exchanged(1, 0, hours(50, 52), 1);
        Comparison same = compare(past, WhatIfScenario.ofUnchanged(START, END, 10));
        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(same.recorded().changes()).isEqualTo(new Requests(2, 0, 0));

        Comparison lost = compare(past, world(List.of(), List.of(west(0)), null, 100));

        assertThat(lost.changed().changes()).isEqualTo(new Requests(0, 2, 0));
    }

    @Test
    void an_additional_host_grants_a_refused_request() {
        Comparison more = compare(past(), with(hosts(1, 0)));

        assertThat(of(more.changed())).isEqualTo(sums("144", "144", "24", "0", "0", "0"));
        assertThat(more.changed().requests()).isEqualTo(new Requests(2, 0, 0));
        assertThat(more.changed().waiting()).isEqualTo(new Waiting(0, 0, null, null));
        assertThat(otherwise(more)).containsExactly("2: REFUSED, ACCEPTED");
        assertThat(of(more.recorded())).isEqualTo(sums("96", "96", "20", "0", "4", "0"));
    }

    @Test
    void a_later_host_does_not_grant_an_earlier_request() {
        Comparison more = compare(past(), with(hosts(1, 24)));

        assertThat(of(more.changed())).isEqualTo(sums("120", "120", "20", "0", "4", "0"));
        assertThat(otherwise(more)).isEmpty();
    }

    @Test
    void an_additional_host_like_an_unknown_host_is_rejected() {
        More like = new More(1, HOST, new ResourceId(9), null, Map.of(), START);

        assertThatThrownBy(() -> compare(past(), with(like))).isInstanceOf(NoSuchResource.class);
    }

    @Test
    void a_host_lost_before_a_request_is_not_granted() {
        Comparison lost = compare(past(), world(List.of(), List.of(west(0)), null, 100));

        // Lease 1 finds one host but needs both, so that lease 2 gets the other.
        assertThat(of(lost.changed())).isEqualTo(sums("96", "48", "4", "0", "20", "0"));
        assertThat(otherwise(lost)).containsExactly("1: ACCEPTED, REFUSED", "2: REFUSED, ACCEPTED");
    }

    @Test
    void a_host_lost_during_a_lease_counts_as_lost_hours() {
        Comparison lost = compare(past(), world(List.of(), List.of(west(5)), null, 100));

        assertThat(of(lost.changed())).isEqualTo(sums("96", "53", "20", "6", "4", "0"));
        assertThat(of(lost.changed()).utilisation()).isEqualTo("0.2642");
    }

    @Test
    void a_host_lost_before_the_start_is_replaced_if_possible() {
        Comparison lost = compare(past(), world(List.of(), List.of(west(0.75)), null, 100));
        assertThat(of(lost.changed()).lost()).isEqualTo("10.000");
        assertThat(otherwise(lost)).containsExactly("1: ACCEPTED, STARTED_OTHERWISE");

        Comparison replaced =
                compare(past(), world(List.of(hosts(1, 0.6)), List.of(west(0.75)), null, 100));
        assertThat(of(replaced.changed()).lost()).isEqualTo("0.000");
        assertThat(of(replaced.changed()).reserved()).isEqualTo("20.000");
        assertThat(otherwise(replaced)).containsExactly("1: ACCEPTED, STARTED_OTHERWISE");
    }

    @Test
    void a_request_beyond_the_longest_duration_is_forbidden() {
        Comparison shorter = compare(past(), world(List.of(), List.of(), Duration.ofHours(5), 100));

        assertThat(of(shorter.changed())).isEqualTo(sums("96", "96", "4", "0", "0", "20"));
        assertThat(shorter.changed().requests()).isEqualTo(new Requests(1, 0, 1));
        assertThat(otherwise(shorter))
                .containsExactly("1: ACCEPTED, FORBIDDEN", "2: REFUSED, ACCEPTED");
    }

    @Test
    void a_scenario_decides_each_recorded_change() {
        TwoHostEvents past =
                new TwoHostEvents()
                        .leased(1, 0, hours(20, 22), 1)
                        .leased(2, 1, hours(23, 31), 1, 2)
                        .notProlonged(1, 21, hours(20, 26));
        Comparison same = compare(past, WhatIfScenario.ofUnchanged(START, END, 10));
        assertThat(of(same.recorded())).isEqualTo(sums("96", "96", "18", "0", "4", "0"));
        assertThat(same.recorded().changes()).isEqualTo(new Requests(0, 1, 0));

        Comparison shorter = compare(past, world(List.of(), List.of(), Duration.ofHours(7), 100));
        assertThat(of(shorter.changed())).isEqualTo(sums("96", "96", "6", "0", "0", "16"));
        assertThat(shorter.changed().changes()).isEqualTo(new Requests(1, 0, 0));
        assertThat(otherwise(shorter))
                .containsExactly("2: ACCEPTED, FORBIDDEN", "1: REFUSED, ACCEPTED");

        Comparison forbidden = compare(past, world(List.of(), List.of(), Duration.ofHours(5), 100));
        assertThat(of(forbidden.changed())).isEqualTo(sums("96", "96", "2", "0", "0", "20"));
        assertThat(forbidden.changed().changes()).isEqualTo(new Requests(0, 0, 1));
    }

    @Test
    void double_demand_requests_each_lease_twice() {
        Comparison twice = compare(past(), world(List.of(), List.of(), null, 200));

        assertThat(of(twice.changed())).isEqualTo(sums("96", "96", "20", "0", "28", "0"));
        assertThat(twice.changed().requests()).isEqualTo(new Requests(1, 3, 0));
        assertThat(otherwise(twice)).isEmpty();
    }

    @Test
    void a_duplicated_lease_follows_the_original_lease() {
        TwoHostEvents past = new TwoHostEvents().leased(1, 0, hours(1, 11), 1);
        Comparison twice = compare(past, world(List.of(), List.of(), null, 200));

        assertThat(of(twice.changed())).isEqualTo(sums("96", "96", "20", "0", "0", "0"));
        assertThat(twice.changed().requests()).isEqualTo(new Requests(2, 0, 0));
    }

    @Test
    void zero_demand_reserves_no_hosts() {
        Comparison none = compare(past(), world(List.of(), List.of(), null, 0));

        assertThat(of(none.changed())).isEqualTo(sums("96", "96", "0", "0", "0", "0"));
        assertThat(otherwise(none))
                .containsExactly("1: ACCEPTED, NOT_ASKED", "2: REFUSED, NOT_ASKED");
    }

    @Test
    void demand_scaling_is_proportional_and_deterministic() {
        long askers =
                LongStream.range(0, 10_000)
                        .mapToObj(number -> lease((int) number))
                        .mapToInt(lease -> DemandScaling.callerCount(lease, 120))
                        .sum();

        assertThat(askers).isBetween(11_850L, 12_150L);
        UUID id = UUID.fromString("8f0e6b4c-35a1-4c0d-a6d5-1f6f7ad0f5f4");
        assertThat(DemandScaling.callerCount(new LeaseId(id), 120))
                .isEqualTo(DemandScaling.callerCount(new LeaseId(id), 120));
        assertThat(DemandScaling.callerCount(lease(1), 300)).isEqualTo(3);
    }
}
