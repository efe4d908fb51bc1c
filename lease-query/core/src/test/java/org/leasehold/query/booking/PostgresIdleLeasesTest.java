package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.usage.IdleLeases;
import org.leasehold.readmodel.usage.IdleLeases.IdleLease;
import org.leasehold.readmodel.usage.IdleLeases.ListIdleLeases;
import org.leasehold.vocabulary.ProjectId;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** A test of no-shows; times are minutes after noon. */
class PostgresIdleLeasesTest {

    private static final Filter ANY = new Filter(null, null, null, null);

    private static BookingEventLog journal;
    private static IdleLeases idleLeases;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
        idleLeases = new PostgresIdleLeases(journal.database.client());
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= 4; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    private void leases() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.start(62, 1);
        journal.see(65, 1, 1, 0, 0);
        journal.see(70, 1, 2, 0, 0);
        journal.book(2, "biology", window(60, 300), host(3));
        journal.start(60, 2);
        journal.see(65, 2, 3, 0, 0);
        journal.see(200, 2, 3, 1, 4);
        journal.book(3, "biology", window(100, 300), host(4));
        journal.start(100, 3);
        journal.follow();
    }

    private static ListIdleLeases question(Filter filter, long now, boolean active) {
        return new ListIdleLeases(
                filter, active, minute(0), minute(1000), minute(now), null, null, 100);
    }

    private static List<String> lines(Filter filter, long now, boolean active) {
        return idleLeases.page(question(filter, now, active)).items().stream()
                .map(PostgresIdleLeasesTest::line)
                .toList();
    }

    private static String line(IdleLease idle) {
        return "%s %s %s since %s %s %s"
                .formatted(
                        idle.lease().value().getLeastSignificantBits(),
                        idle.project(),
                        idle.resources(),
                        idle.since(),
                        idle.isActive() ? "active" : "over",
                        idle.idle()
                                .divide(BigDecimal.valueOf(60))
                                .stripTrailingZeros()
                                .toPlainString());
    }

    @Test
    void a_lease_that_never_runs_a_server_is_idle() {
        leases();

        assertThat(lines(ANY, 110, false))
                .as("85 of two hosts, 45 of one; lease 3 was not observed")
                .containsExactly(
                        "1 astronomy 2 since %s active 85".formatted(minute(62)),
                        "2 biology 1 since %s active 45".formatted(minute(60)));
        assertThat(lines(ANY, 250, false))
                .as("lease 2 runs a server since 200")
                .containsExactly("1 astronomy 2 since %s over 105".formatted(minute(62)));
        assertThat(lines(ANY, 64, false)).as("not observed yet").isEmpty();
    }

    @Test
    void only_leases_with_their_resources_now_are_active() {
        leases();

        assertThat(lines(ANY, 130, true))
                .containsExactly("2 biology 1 since %s active 65".formatted(minute(60)));
        journal.end(130, 2, EndCause.REQUESTED);
        journal.follow();
        assertThat(lines(ANY, 140, true)).isEmpty();
    }

    @Test
    void idle_leases_are_filtered_by_project_and_kind() {
        leases();

        assertThat(lines(new Filter(null, new ProjectId("biology"), null, null), 110, false))
                .hasSize(1);
        assertThat(lines(new Filter(null, null, null, ResourceKind.NETWORK), 110, false)).isEmpty();
    }

    @Test
    void idle_leases_as_of_a_position_ignore_later_observations() {
        leases();
        var before =
                new ListIdleLeases(
                        ANY,
                        false,
                        minute(0),
                        minute(1000),
                        minute(250),
                        journal.database.head() - 5,
                        null,
                        100);

        assertThat(idleLeases.page(before).items())
                .extracting(IdleLease::lease)
                .containsExactly(lease(2), lease(1));
    }

    @Test
    void pages_together_equal_the_whole_list() {
        leases();
        List<IdleLease> all = idleLeases.page(question(ANY, 110, false)).items();
        List<IdleLease> paged = new ArrayList<>();
        @Nullable String marker = null;
        do {
            var question =
                    new ListIdleLeases(
                            ANY, false, minute(0), minute(1000), minute(110), null, marker, 1);
            Page<IdleLease> page = idleLeases.page(question);
            paged.addAll(page.items());
            marker = page.next();
        } while (marker != null);

        assertThat(paged).isEqualTo(all).hasSize(2);
        var unknown =
                new ListIdleLeases(
                        ANY, false, minute(0), minute(1000), minute(0), null, "nonsense", 1);
        assertThatThrownBy(() -> idleLeases.page(unknown)).isInstanceOf(UnknownMarker.class);
    }
}
