package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingJournal.host;
import static org.leasehold.query.booking.BookingJournal.minute;
import static org.leasehold.query.booking.BookingJournal.share;
import static org.leasehold.query.booking.BookingJournal.window;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.query.Uses;
import org.leasehold.query.Uses.Standing;

import java.time.Instant;
import java.util.List;

class PostgresUsesTest {

    private static BookingJournal journal;
    private static Uses uses;

    @BeforeAll
    static void open() {
        journal = new BookingJournal();
        uses = new PostgresUses(journal.database.client());
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
    void what_leases_have_as_a_whole_is_given_from_its_start_to_its_end() {
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
        assertThat(uses.given(ResourceKind.NETWORK, minute(60))).isEmpty();
    }

    @Test
    void what_was_promised_and_not_given_is_not_looked_at() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.follow();

        assertThat(given(minute(90))).isEmpty();
    }

    @Test
    void what_was_seen_last_is_known() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2), host(3));
        journal.start(60, 1);
        journal.see(65, 1, 1, 5, 5);
        journal.see(70, 1, 1, 2, 8);
        journal.see(70, 1, 2, 0, 0);
        journal.follow();

        assertThat(given(minute(80)))
                .containsExactly("astronomy 1 2/8", "astronomy 2 0/0", "astronomy 3 null");
        assertThat(uses.standing(minute(80)))
                .containsExactly(new Standing(ResourceKind.PHYSICAL_HOST, 1, 2, 8));
        assertThat(uses.standing(minute(120))).isEmpty();
        assertThat(journal.differences()).isEmpty();
    }

    @Test
    void what_was_seen_is_there_after_a_rebuild_and_an_edit_is_noticed() {
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
        return uses.given(ResourceKind.PHYSICAL_HOST, at).stream()
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
