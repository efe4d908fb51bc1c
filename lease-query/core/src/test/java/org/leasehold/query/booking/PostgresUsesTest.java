package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.readmodel.resource.ObservedUses.Standing;

import java.time.Instant;
import java.util.List;

class PostgresUsesTest {

    private static BookingEventLog journal;
    private static ObservedUses uses;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
        uses = new PostgresObservedUses(journal.database.client());
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= 3; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    @Test
    void a_whole_host_is_given_from_the_start_to_the_end_of_the_lease() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.book(2, "biology", window(60, 120), share(2, 3));
        journal.start(60, 1);
        journal.start(60, 2);
        journal.end(100, 1, EndCause.REQUESTED);
        journal.follow();

        assertThat(given(minute(59))).isEmpty();
        assertThat(given(minute(60))).containsExactly("astronomy 1 null");
        assertThat(given(minute(99))).containsExactly("astronomy 1 null");
        assertThat(given(minute(100))).isEmpty();
        assertThat(uses.leasedResources(ResourceKind.NETWORK, minute(60))).isEmpty();
    }

    @Test
    void a_host_of_a_lease_that_has_not_started_is_not_given() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.follow();

        assertThat(given(minute(90))).isEmpty();
    }

    @Test
    void the_last_observation_of_each_host_is_returned() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2), host(3));
        journal.start(60, 1);
        journal.see(65, 1, 1, 5, 5);
        journal.see(70, 1, 1, 2, 8);
        journal.see(70, 1, 2, 0, 0);
        journal.follow();

        assertThat(given(minute(80)))
                .containsExactly("astronomy 1 2/8", "astronomy 2 0/0", "astronomy 3 null");
        assertThat(uses.lastUseByKind(minute(80)))
                .containsExactly(new Standing(ResourceKind.PHYSICAL_HOST, 1, 2, 8));
        assertThat(uses.lastUseByKind(minute(120))).isEmpty();
        assertThat(journal.differences()).isEmpty();
    }

    @Test
    void a_rebuild_keeps_observations_and_a_manipulation_is_reported() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.start(60, 1);
        journal.see(65, 1, 1, 5, 5);
        journal.rebuild();

        assertThat(given(minute(80))).containsExactly("astronomy 1 5/5");
        assertThat(journal.differences()).isEmpty();
        journal.jdbc().execute("UPDATE observed_use SET vcpus = 4");
        assertThat(journal.differences()).hasSize(1);
        journal.jdbc().execute("DELETE FROM observed_use");
        assertThat(journal.differences()).hasSize(1);
    }

    private static List<String> given(Instant at) {
        return uses.leasedResources(ResourceKind.PHYSICAL_HOST, at).stream()
                .map(
                        given ->
                                "%s %s %s"
                                        .formatted(
                                                given.project(),
                                                given.resource(),
                                                given.last() == null
                                                        ? null
                                                        : given.last().servers()
                                                                + "/"
                                                                + given.last().vcpus()))
                .toList();
    }
}
