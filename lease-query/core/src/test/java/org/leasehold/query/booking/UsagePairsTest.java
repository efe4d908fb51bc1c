package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.readmodel.usage.Usages.Usage;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/** The usage by pairs of values, and of the resources that meet a requirement. */
class UsagePairsTest extends UsageFixture {

    private static final Requirement GPU_V100 = new Comparison(Operator.EQUAL, "gpu", "V100");

    @Test
    void usage_is_grouped_by_pairs_of_values() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.book(2, "biology", window(120, 180), host(1));
        journal.happen(80, new ResourceChanged(new ResourceId(1), Map.of("gpu", "A100"), Set.of()));
        follow();

        assertThat(pairs(List.of(Usages.BY_PROJECT, "gpu"), Requirement.none()))
                .containsExactly("astronomy A100 2400", "astronomy V100 4800", "biology A100 3600");
    }

    @Test
    void a_requirement_counts_only_resources_that_match_at_the_time() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.happen(80, new ResourceChanged(new ResourceId(1), Map.of("gpu", "A100"), Set.of()));
        follow();

        assertThat(pairs(List.of(Usages.BY_RESOURCE), GPU_V100))
                .containsExactly("1 null 1200", "2 null 3600");
        Requirement west = new Comparison(Operator.EQUAL, "availability_zone", "west");
        assertThat(pairs(List.of(Usages.BY_PROJECT), west)).containsExactly("astronomy null 3600");
        Requirement absent = new Comparison(Operator.EQUAL, "gpu", "H100");
        assertThat(pairs(List.of(), absent)).isEmpty();
    }

    private List<String> pairs(List<String> by, Requirement requirement) {
        return usages.page(split(by, requirement)).items().stream()
                .map(
                        line ->
                                "%s %s %s"
                                        .formatted(
                                                line.value(), line.other(), plain(line.reserved())))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {6, 7})
    void lines_of_pairs_add_up_to_the_lines_of_each_dimension(long seed) {
        live(new SplittableRandom(seed));

        for (List<String> by : PAIRS) {
            List<Usage> pairs = usages.page(split(by, Requirement.none())).items();
            assertThat(pairs).as("by %s", by).hasSizeGreaterThan(1);
            assertThat(sums(pairs, Usage::value))
                    .as("first of %s", by)
                    .isEqualTo(lines(question(HOSTS, by.getFirst(), FROM, TO, TO, null)));
            assertThat(sums(pairs, Usage::other))
                    .as("second of %s", by)
                    .isEqualTo(lines(question(HOSTS, by.getLast(), FROM, TO, TO, null)));
        }
        Map<String, Usage> byGpu = new TreeMap<>(lines(question(HOSTS, "gpu", FROM, TO, TO, null)));
        byGpu.remove("null");
        assertThat(byGpu).isNotEmpty();
        byGpu.forEach(
                (gpu, line) -> {
                    Requirement required = new Comparison(Operator.EQUAL, "gpu", gpu);
                    assertThat(
                                    sums(
                                            usages.page(split(List.of("gpu"), required)).items(),
                                            Usage::value))
                            .as("a requirement selects the lines of the value")
                            .isEqualTo(Map.of(gpu, line));
                });
    }

    private static Map<String, Usage> sums(
            List<Usage> pairs, Function<Usage, @Nullable String> dimension) {
        Map<String, Usage> sums = new TreeMap<>();
        for (Usage pair : pairs) {
            String value = dimension.apply(pair);
            sums.merge(
                    String.valueOf(value),
                    exact(
                            new Usage(
                                    value,
                                    null,
                                    pair.kind(),
                                    pair.reserved(),
                                    pair.active(),
                                    pair.use())),
                    (one, other) ->
                            new Usage(
                                    value,
                                    null,
                                    one.kind(),
                                    one.reserved().add(other.reserved()),
                                    one.active().add(other.active()),
                                    one.use().plus(other.use())));
        }
        return sums;
    }
}
