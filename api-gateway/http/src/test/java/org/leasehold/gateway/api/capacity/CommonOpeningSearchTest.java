package org.leasehold.gateway.api.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.Availability.FindAvailability;
import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class CommonOpeningSearchTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Demand SERVERS = demand(ResourceKind.SERVER);
    private static final Demand VOLUMES = demand(ResourceKind.VOLUME);

    private final Map<Demand, List<Opening>> openings = new HashMap<>();
    private final Availability calendar =
            question ->
                    openings.getOrDefault(question.demand(), List.of()).stream()
                            .filter(opening -> opening.starts().end().isAfter(question.earliest()))
                            .limit(question.limit())
                            .toList();

    private List<Opening> find() {
        return new CommonOpeningSearch(calendar, List.of(SERVERS, VOLUMES))
                .find(
                        new FindAvailability(
                                SERVERS, Duration.ofHours(1), NOON, NOON.plusSeconds(100_000), 2));
    }

    @Test
    void a_common_opening_fits_all_demands() {
        openings.put(SERVERS, List.of(opening(0, 20, 3), opening(30, 50, 3)));
        openings.put(VOLUMES, List.of(opening(10, 40, 2)));

        assertThat(find()).containsExactly(opening(10, 20, 2), opening(30, 40, 2));
    }

    @Test
    void the_search_finds_a_common_opening_after_many_gaps() {
        openings.put(
                SERVERS,
                IntStream.range(0, 300).mapToObj(i -> opening(10 * i, 10 * i + 5, 1)).toList());
        openings.put(VOLUMES, List.of(opening(2_500, 3_000, 1)));

        assertThat(find()).containsExactly(opening(2_500, 2_505, 1), opening(2_510, 2_515, 1));
    }

    @Test
    void an_unsatisfiable_demand_leaves_no_common_opening() {
        openings.put(SERVERS, List.of(opening(0, 20, 3)));

        assertThat(find()).isEmpty();
    }

    private static Demand demand(ResourceKind kind) {
        return new Demand.Shared(
                kind, 1, Map.of("VCPU", 1L), Requirement.none(), Demand.Spread.TOGETHER);
    }

    private static Opening opening(int from, int until, int free) {
        return new Opening(new LeasePeriod(NOON.plusSeconds(from), NOON.plusSeconds(until)), free);
    }
}
