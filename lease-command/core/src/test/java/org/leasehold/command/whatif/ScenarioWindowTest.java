package org.leasehold.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.whatif.TwoHostEvents.START;
import static org.leasehold.command.whatif.TwoHostEvents.hour;
import static org.leasehold.command.whatif.TwoHostEvents.hours;

import org.junit.jupiter.api.Test;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.command.whatif.ScenarioComparison.Limits;
import org.leasehold.history.RecordedEvent;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Requests;
import org.leasehold.whatif.WhatIf.TooMuch;
import org.leasehold.whatif.WhatIfScenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Tests decisions before the window of a scenario, and the limits of a replay. */
class ScenarioWindowTest extends ScenarioFixture {

    @Test
    void a_decision_before_the_window_stays_unchanged() {
        WhatIfScenario later =
                new WhatIfScenario(
                        hour(12), END, List.of(), List.of(), Duration.ofHours(5), 300, 10);
        Comparison same = compare(past(), later);

        assertThat(of(same.changed())).isEqualTo(sums("72", "72", "0", "0", "0", "0"));
        assertThat(same.changed()).isEqualTo(same.recorded());
    }

    @Test
    void a_lease_at_the_start_of_the_window_blocks_other_requests() {
        TwoHostEvents past = past().refused(3, 4.5, hours(5, 6), 1);
        Comparison same = compare(past, WhatIfScenario.ofUnchanged(hour(4), END, 10));

        assertThat(of(same.recorded())).isEqualTo(sums("88", "88", "14", "0", "3", "0"));
        assertThat(same.recorded().requests()).isEqualTo(new Requests(0, 1, 0));
        assertThat(same.changed()).isEqualTo(same.recorded());

        WhatIfScenario more =
                new WhatIfScenario(hour(4), END, List.of(hosts(1, 4)), List.of(), null, 100, 10);
        assertThat(otherwise(compare(past, more))).containsExactly("3: REFUSED, ACCEPTED");
    }

    @Test
    void a_request_refused_before_the_window_stays_refused() {
        // The lease in its way is unknown.
        TwoHostEvents past = past().refused(3, 11.5, hours(12, 14), 1);
        Comparison same = compare(past, WhatIfScenario.ofUnchanged(hour(12), END, 10));

        assertThat(of(same.recorded())).isEqualTo(sums("72", "72", "0", "0", "2", "0"));
        assertThat(same.recorded().requests()).isEqualTo(new Requests(0, 0, 0));
        assertThat(same.changed()).isEqualTo(same.recorded());
    }

    @Test
    void a_replay_beyond_the_limit_of_events_or_leases_fails() {
        List<RecordedEvent> events =
                new TwoHostEvents()
                        .leased(1, 0, hours(8, 11), 1)
                        .leased(2, 1, hours(8, 11), 2)
                        .recorded();
        Instant later = hour(6);

        assertThat(leases(events, new Limits(18, 2), START)).isEqualTo(2);
        assertThat(leases(events, new Limits(18, 2), later)).isZero();
        assertThatThrownBy(() -> leases(events, new Limits(17, 2), START))
                .isInstanceOf(TooMuch.class)
                .hasMessage("more than 17 events");
        assertThatThrownBy(() -> leases(events.subList(0, 6), new Limits(18, 1), START))
                .isInstanceOf(TooMuch.class)
                .hasMessage("more than 1 leases at once");
        assertThatThrownBy(() -> leases(events.subList(0, 6), new Limits(18, 1), later))
                .isInstanceOf(TooMuch.class)
                .hasMessage("more than 1 leases at once");
    }

    /** Replays a window, and returns the number of its leases. */
    private static long leases(List<RecordedEvent> events, Limits limits, Instant from) {
        ScenarioComparison worlds =
                new ScenarioComparison(
                        WhatIfScenario.ofUnchanged(from, END, 10), new HostOnlyPlugins(), limits);
        InMemoryEventReplay.replay(events, worlds);
        return worlds.finish().recorded().requests().all();
    }
}
