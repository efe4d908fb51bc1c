package org.leasehold.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.whatif.TwoHostEvents.HOST;
import static org.leasehold.command.whatif.TwoHostEvents.START;
import static org.leasehold.command.whatif.TwoHostEvents.hour;
import static org.leasehold.command.whatif.TwoHostEvents.hours;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Difference;
import org.leasehold.whatif.Comparison.Figures;
import org.leasehold.whatif.Comparison.Hours;
import org.leasehold.whatif.WhatIfScenario;
import org.leasehold.whatif.WhatIfScenario.Lost;
import org.leasehold.whatif.WhatIfScenario.More;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Compares scenarios of two hosts for two days. Lease 1 has both from hour 1 to hour 11. Lease 2
 * requests one of them from hour 2 to hour 6, and is refused.
 */
abstract class ScenarioFixture {

    static final Instant END = hour(48);

    static TwoHostEvents past() {
        return new TwoHostEvents().leased(1, 0, hours(1, 11), 1, 2).refused(2, 0.5, hours(2, 6), 1);
    }

    static WhatIfScenario world(
            List<More> more, List<Lost> lost, @Nullable Duration longest, int demand) {
        return new WhatIfScenario(START, END, more, lost, longest, demand, 10);
    }

    static WhatIfScenario with(More... more) {
        return world(List.of(more), List.of(), null, 100);
    }

    static More hosts(int count, double from) {
        return new More(count, HOST, new ResourceId(1), null, Map.of(), hour(from));
    }

    static Lost west(double from) {
        return new Lost(HOST, "west", Requirement.none(), hour(from));
    }

    static Comparison compare(TwoHostEvents past, WhatIfScenario world) {
        ScenarioComparison worlds = new ScenarioComparison(world, new HostOnlyPlugins());
        InMemoryEventReplay.replay(past.recorded(), worlds);
        Comparison comparison = worlds.finish();
        assertThat(comparison.notReproduced().first()).isEmpty();
        return comparison;
    }

    static Hours sums(
            String enrolled,
            String reservable,
            String reserved,
            String lost,
            String refused,
            String forbidden) {
        return new Hours(
                new BigDecimal(enrolled + ".000"),
                new BigDecimal(reservable + ".000"),
                new BigDecimal(reserved + ".000"),
                new BigDecimal(lost + ".000"),
                new BigDecimal(refused + ".000"),
                new BigDecimal(forbidden + ".000"));
    }

    static Hours of(Figures figures) {
        return Objects.requireNonNull(figures.kinds().get(HOST));
    }

    static List<String> otherwise(Comparison comparison) {
        assertThat(comparison.otherwise().count()).isEqualTo(comparison.otherwise().first().size());
        return comparison.otherwise().first().stream().map(ScenarioFixture::text).toList();
    }

    private static String text(Difference difference) {
        return "%s: %s, %s"
                .formatted(
                        difference.lease().value().getLeastSignificantBits(),
                        difference.recorded(),
                        difference.changed());
    }
}
