package org.leasehold.gateway.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Difference;

import java.util.List;
import java.util.stream.Stream;

/** Tests the pages of a drift that is compared again for each page. */
class DriftPagesTest {

    private static Drift.Comparison unseen(String why) {
        return new Drift.Comparison(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Stream.of("parking:space", "physical:host")
                        .map(kind -> new Drift.Unseen(new ResourceKind(kind), why))
                        .toList());
    }

    private static String kind(Difference difference) {
        return ((Drift.Unseen) difference).kind().value();
    }

    @Test
    void each_kind_comes_once_though_the_reason_changes() {
        Page<Difference> first = DriftPages.page(unseen("request a"), null, 1);
        Page<Difference> second = DriftPages.page(unseen("request b"), first.next(), 1);

        assertThat(first.items()).extracting(DriftPagesTest::kind).containsExactly("parking:space");
        assertThat(second.items())
                .extracting(DriftPagesTest::kind)
                .containsExactly("physical:host");
        assertThat(second.next()).isNull();
    }
}
