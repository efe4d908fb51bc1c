package org.leasehold.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.whatif.PastOfTwoHosts.HOST;
import static org.leasehold.command.whatif.PastOfTwoHosts.START;
import static org.leasehold.command.whatif.PastOfTwoHosts.hour;
import static org.leasehold.command.whatif.PastOfTwoHosts.hours;
import static org.leasehold.command.whatif.PastOfTwoHosts.lease;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.lease.HostsOnly;
import org.leasehold.command.whatif.SideBySide.Limits;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Difference;
import org.leasehold.whatif.Comparison.Figures;
import org.leasehold.whatif.Comparison.Hours;
import org.leasehold.whatif.Comparison.Requests;
import org.leasehold.whatif.Comparison.Waiting;
import org.leasehold.whatif.WhatIf.NoSuchResource;
import org.leasehold.whatif.WhatIf.TooMuch;
import org.leasehold.whatif.World;
import org.leasehold.whatif.World.Lost;
import org.leasehold.whatif.World.More;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Compares worlds of two hosts for two days. Lease 1 has both from hour 1 to hour 11. Lease 2
 * requests one of them from hour 2 to hour 6, and is refused.
 */
class SideBySideTest {

    private static final Instant END = hour(48);

    private static PastOfTwoHosts past() {
        return new PastOfTwoHosts()
                .leased(1, 0, hours(1, 11), 1, 2)
                .refused(2, 0.5, hours(2, 6), 1);
    }

    private static World world(
            List<More> more, List<Lost> lost, @Nullable Duration longest, int demand) {
        return new World(START, END, more, lost, longest, demand, 10);
    }

    private static World with(More... more) {
        return world(List.of(more), List.of(), null, 100);
    }

    private static More hosts(int count, double from) {
        return new More(count, HOST, new ResourceId(1), null, Map.of(), hour(from));
    }

    private static Lost west(double from) {
        return new Lost(HOST, "west", Requirement.none(), hour(from));
    }

    private static Comparison compare(PastOfTwoHosts past, World world) {
        SideBySide worlds = new SideBySide(world, new HostsOnly());
        WholePast.tell(past.recorded(), worlds);
        Comparison comparison = worlds.finish();
        assertThat(comparison.notReproduced().first()).isEmpty();
        return comparison;
    }

    private static Hours sums(
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

    private static Hours of(Figures figures) {
        return Objects.requireNonNull(figures.kinds().get(HOST));
    }

    private static List<String> otherwise(Comparison comparison) {
        assertThat(comparison.otherwise().count()).isEqualTo(comparison.otherwise().first().size());
        return comparison.otherwise().first().stream().map(SideBySideTest::told).toList();
    }

    private static String told(Difference difference) {
        return "%s: %s, %s"
                .formatted(
                        difference.lease().value().getLeastSignificantBits(),
                        difference.recorded(),
                        difference.changed());
    }

    @Test
    void what_was_is_as_it_was() {
        Comparison same = compare(past(), World.asItWas(START, END, 10));

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
    void what_is_not_as_it_was_is_told() {
        // No lease was in its way.
        PastOfTwoHosts odd = past().refused(3, 12, hours(12, 13), 1);
        SideBySide worlds = new SideBySide(World.asItWas(START, END, 10), new HostsOnly());
        worlds.take(odd.recorded());
        Comparison comparison = worlds.finish();

        assertThat(comparison.notReproduced().first()).containsExactly(12L);
        assertThat(comparison.notReproduced().count()).isEqualTo(1);
        assertThat(comparison.changed()).isNotEqualTo(comparison.recorded());
    }

    @Test
    void what_was_refused_gets_a_further_host_and_lives_to_its_end() {
        Comparison more = compare(past(), with(hosts(1, 0)));

        assertThat(of(more.changed())).isEqualTo(sums("144", "144", "24", "0", "0", "0"));
        assertThat(more.changed().requests()).isEqualTo(new Requests(2, 0, 0));
        assertThat(more.changed().waiting()).isEqualTo(new Waiting(0, 0, null, null));
        assertThat(otherwise(more)).containsExactly("2: REFUSED, ACCEPTED");
        assertThat(of(more.recorded())).isEqualTo(sums("96", "96", "20", "0", "4", "0"));
    }

    @Test
    void a_host_that_comes_later_is_of_no_use_before() {
        Comparison more = compare(past(), with(hosts(1, 24)));

        assertThat(of(more.changed())).isEqualTo(sums("120", "120", "20", "0", "4", "0"));
        assertThat(otherwise(more)).isEmpty();
    }

    @Test
    void a_host_is_like_one_that_there_is() {
        More like = new More(1, HOST, new ResourceId(9), null, Map.of(), START);

        assertThatThrownBy(() -> compare(past(), with(like))).isInstanceOf(NoSuchResource.class);
    }

    @Test
    void what_is_lost_beforehand_is_promised_to_nobody() {
        Comparison lost = compare(past(), world(List.of(), List.of(west(0)), null, 100));

        // Lease 1 finds one host but needs both, so that lease 2 gets the other.
        assertThat(of(lost.changed())).isEqualTo(sums("96", "48", "4", "0", "20", "0"));
        assertThat(otherwise(lost)).containsExactly("1: ACCEPTED, REFUSED", "2: REFUSED, ACCEPTED");
    }

    @Test
    void what_is_lost_while_it_is_used_is_lost_to_its_lease() {
        Comparison lost = compare(past(), world(List.of(), List.of(west(5)), null, 100));

        assertThat(of(lost.changed())).isEqualTo(sums("96", "53", "20", "6", "4", "0"));
        assertThat(of(lost.changed()).utilisation()).isEqualTo("0.2642");
    }

    @Test
    void what_is_lost_before_the_start_is_replaced_or_the_lease_does_not_start() {
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
    void what_is_asked_for_longer_than_is_allowed_is_refused_for_that() {
        Comparison shorter = compare(past(), world(List.of(), List.of(), Duration.ofHours(5), 100));

        assertThat(of(shorter.changed())).isEqualTo(sums("96", "96", "4", "0", "0", "20"));
        assertThat(shorter.changed().requests()).isEqualTo(new Requests(1, 0, 1));
        assertThat(otherwise(shorter))
                .containsExactly("1: ACCEPTED, FORBIDDEN", "2: REFUSED, ACCEPTED");
    }

    @Test
    void a_change_is_decided_again() {
        PastOfTwoHosts past =
                new PastOfTwoHosts()
                        .leased(1, 0, hours(20, 22), 1)
                        .leased(2, 1, hours(23, 31), 1, 2)
                        .notProlonged(1, 21, hours(20, 26));
        Comparison same = compare(past, World.asItWas(START, END, 10));
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
    void twice_the_demand_asks_for_everything_twice() {
        Comparison twice = compare(past(), world(List.of(), List.of(), null, 200));

        assertThat(of(twice.changed())).isEqualTo(sums("96", "96", "20", "0", "28", "0"));
        assertThat(twice.changed().requests()).isEqualTo(new Requests(1, 3, 0));
        assertThat(otherwise(twice)).isEmpty();
    }

    @Test
    void a_twin_does_what_its_lease_does() {
        PastOfTwoHosts past = new PastOfTwoHosts().leased(1, 0, hours(1, 11), 1);
        Comparison twice = compare(past, world(List.of(), List.of(), null, 200));

        assertThat(of(twice.changed())).isEqualTo(sums("96", "96", "20", "0", "0", "0"));
        assertThat(twice.changed().requests()).isEqualTo(new Requests(2, 0, 0));
    }

    @Test
    void without_demand_nothing_is_reserved() {
        Comparison none = compare(past(), world(List.of(), List.of(), null, 0));

        assertThat(of(none.changed())).isEqualTo(sums("96", "96", "0", "0", "0", "0"));
        assertThat(otherwise(none))
                .containsExactly("1: ACCEPTED, NOT_ASKED", "2: REFUSED, NOT_ASKED");
    }

    @Test
    void a_fifth_more_demand_is_the_same_fifth_each_time() {
        long askers =
                LongStream.range(0, 10_000)
                        .mapToObj(number -> lease((int) number))
                        .mapToInt(lease -> Askers.of(lease, 120))
                        .sum();

        assertThat(askers).isBetween(11_850L, 12_150L);
        UUID some = UUID.fromString("8f0e6b4c-35a1-4c0d-a6d5-1f6f7ad0f5f4");
        assertThat(Askers.of(new LeaseId(some), 120)).isEqualTo(Askers.of(new LeaseId(some), 120));
        assertThat(Askers.of(lease(1), 300)).isEqualTo(3);
    }

    @Test
    void what_was_decided_before_the_window_stays() {
        World later = new World(hour(12), END, List.of(), List.of(), Duration.ofHours(5), 300, 10);
        Comparison same = compare(past(), later);

        assertThat(of(same.changed())).isEqualTo(sums("72", "72", "0", "0", "0", "0"));
        assertThat(same.changed()).isEqualTo(same.recorded());
    }

    @Test
    void what_somebody_has_when_the_window_begins_is_in_the_way_of_others() {
        PastOfTwoHosts past = past().refused(3, 4.5, hours(5, 6), 1);
        Comparison same = compare(past, World.asItWas(hour(4), END, 10));

        assertThat(of(same.recorded())).isEqualTo(sums("88", "88", "14", "0", "3", "0"));
        assertThat(same.recorded().requests()).isEqualTo(new Requests(0, 1, 0));
        assertThat(same.changed()).isEqualTo(same.recorded());

        World more = new World(hour(4), END, List.of(hosts(1, 4)), List.of(), null, 100, 10);
        assertThat(otherwise(compare(past, more))).containsExactly("3: REFUSED, ACCEPTED");
    }

    @Test
    void what_was_refused_before_the_window_stays_refused() {
        // The lease in its way is unknown.
        PastOfTwoHosts past = past().refused(3, 11.5, hours(12, 14), 1);
        Comparison same = compare(past, World.asItWas(hour(12), END, 10));

        assertThat(of(same.recorded())).isEqualTo(sums("72", "72", "0", "0", "2", "0"));
        assertThat(same.recorded().requests()).isEqualTo(new Requests(0, 0, 0));
        assertThat(same.changed()).isEqualTo(same.recorded());
    }

    @Test
    void more_than_may_be_is_not_replayed() {
        List<RecordedEvent> events =
                new PastOfTwoHosts()
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
        SideBySide worlds = new SideBySide(World.asItWas(from, END, 10), new HostsOnly(), limits);
        WholePast.tell(events, worlds);
        return worlds.finish().recorded().requests().all();
    }
}
