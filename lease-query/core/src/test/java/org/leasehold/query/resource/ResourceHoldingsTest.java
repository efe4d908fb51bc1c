package org.leasehold.query.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;

/** Tests the holdings of resources: who has which resource, from when to when. */
class ResourceHoldingsTest extends PostgresResourcesFixture {

    @Test
    void holdings_are_listed_by_start_without_cleaning_time() {
        tables.resource(7, HOST, "compute-7", "ENROLLED", "{}");
        tables.resource(8, HOST, "compute-8", "ENROLLED", "{}");
        tables.resource(9, DESK, "desk-9", "ENROLLED", "{}");
        tables.claim(7, WEEKLY, SECOND, at(100), at(160), 10);
        tables.claim(7, NIGHTLY, FIRST, at(0), at(60), 10);
        tables.claim(9, NIGHTLY, THIRD, at(0), at(60), 0);

        assertThat(allocations(null, null, null))
                .containsExactly(
                        new ResourceCalendar(
                                new ResourceId(7),
                                "compute-7",
                                List.of(
                                        holding(NIGHTLY, FIRST, 0, 60),
                                        holding(WEEKLY, SECOND, 100, 160))),
                        new ResourceCalendar(new ResourceId(8), "compute-8", List.of()));
    }

    @Test
    void a_holding_starts_with_the_lease_whenever_the_claim_was_made() {
        tables.resource(7, HOST, "compute-7", "ENROLLED", "{}");
        tables.lease(NIGHTLY, at(-60));
        tables.claim(7, NIGHTLY, FIRST, at(5), at(60), 0);

        assertThat(allocations(null, null, null))
                .containsExactly(calendar(7, holding(NIGHTLY, FIRST, -60, 60)));
    }

    @Test
    void an_ended_holding_is_not_listed_during_cleaning_time() {
        tables.resource(7, HOST, "compute-7", "ENROLLED", "{}");
        tables.claim(7, NIGHTLY, FIRST, at(-60), at(0), 30);
        tables.claim(7, WEEKLY, SECOND, at(40), at(100), 0);

        assertThat(allocations(null, null, null))
                .containsExactly(
                        new ResourceCalendar(
                                new ResourceId(7),
                                "compute-7",
                                List.of(holding(WEEKLY, SECOND, 40, 100))));
    }

    @Test
    void a_claim_of_cleaning_time_only_yields_no_holding() {
        tables.resource(7, HOST, "compute-7", "ENROLLED", "{}");
        tables.claim(7, NIGHTLY, FIRST, at(10), at(10), 30);

        assertThat(allocations(null, null, null).getFirst().holdings()).isEmpty();
    }

    @Test
    void holdings_are_filtered_by_resource_lease_or_reservation() {
        tables.resource(7, HOST, "compute-7", "ENROLLED", "{}");
        tables.resource(8, HOST, "compute-8", "ENROLLED", "{}");
        tables.claim(7, NIGHTLY, FIRST, at(0), at(60), 0);
        tables.claim(7, WEEKLY, SECOND, at(60), at(120), 0);
        tables.claim(8, NIGHTLY, THIRD, at(0), at(60), 0);

        assertThat(allocations(new ResourceId(8), null, null))
                .containsExactly(calendar(8, holding(NIGHTLY, THIRD, 0, 60)));
        assertThat(allocations(new ResourceId(99), null, null)).isEmpty();
        assertThat(allocations(null, new LeaseId(NIGHTLY), null))
                .containsExactly(
                        calendar(7, holding(NIGHTLY, FIRST, 0, 60)),
                        calendar(8, holding(NIGHTLY, THIRD, 0, 60)));
        assertThat(allocations(null, null, new ReservationId(SECOND)))
                .containsExactly(calendar(7, holding(WEEKLY, SECOND, 60, 120)), calendar(8));
    }
}
