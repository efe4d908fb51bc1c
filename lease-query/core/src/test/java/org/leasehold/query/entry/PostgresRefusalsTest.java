package org.leasehold.query.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.query.refusal.PostgresRefusals;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.refusal.Refusals;
import org.leasehold.readmodel.refusal.Refusals.ListRefusals;
import org.leasehold.readmodel.refusal.Refusals.Reason;
import org.leasehold.readmodel.refusal.Refusals.Refusal;
import org.leasehold.readmodel.refusal.Refusals.RefusalCount;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** A test of refused requests; times are minutes after noon. */
class PostgresRefusalsTest {

    private static BookingEventLog journal;
    private static EntryProjection entries;
    private static Refusals refusals;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
        entries = new EntryProjection(journal.jdbc());
        refusals = new PostgresRefusals(journal.jdbc(), journal.streams(), new Decided());
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        journal.jdbc().execute("TRUNCATE event_entry, event_resource");
    }

    /** Positions as if each event had been stored when it was decided. */
    private static final class Decided implements EventLogPositions {

        @Override
        public long last() {
            return journal.database.head();
        }

        @Override
        public long at(Instant instant) {
            return journal.database
                    .client()
                    .sql(
                            """
                            SELECT coalesce(max(position), 0) FROM domain_event
                            WHERE decided_at <= ?
                            """)
                    .param(instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC))
                    .query(Long.class)
                    .single();
        }
    }

    private static Shortage shortage(long lease, int wanted, int matching) {
        return new Shortage(
                reservation(lease),
                ResourceKind.PHYSICAL_HOST,
                wanted,
                matching,
                0,
                window(60, 120),
                0,
                null);
    }

    private void refusals() {
        journal.book(3, "astronomy", window(60, 120), host(1));
        refuse(10, 1, "astronomy", shortage(1, 9, 4));
        refuse(20, 2, "biology", shortage(2, 3, 4));
        journal.append(
                30,
                new LeaseChangeRefused(
                        lease(3), window(60, 180), List.of(), List.of(shortage(3, 1, 4)), 5));
        journal.database.follow(entries);
    }

    private static void refuse(long at, long lease, String project, Shortage shortage) {
        journal.append(
                at,
                new LeaseRefused(
                        lease(lease),
                        new ProjectId(project),
                        new UserId("ada"),
                        "refused",
                        window(60, 120),
                        null,
                        List.of(),
                        List.of(shortage),
                        1,
                        null));
    }

    private static ListRefusals question(
            @Nullable String project, long from, long to, @Nullable String marker, int limit) {
        return new ListRefusals(
                project == null ? null : new ProjectId(project),
                minute(from),
                minute(to),
                marker,
                limit);
    }

    private static List<LeaseId> found(@Nullable String project, long from, long to) {
        return refusals.page(question(project, from, to, null, 100)).items().stream()
                .map(Refusal::lease)
                .toList();
    }

    @Test
    void refusals_of_a_project_and_window_are_listed_newest_first() {
        refusals();

        assertThat(found(null, 0, 60)).containsExactly(lease(3), lease(2), lease(1));
        assertThat(found("astronomy", 0, 60)).containsExactly(lease(3), lease(1));
        assertThat(found("astronomy", 10, 30)).containsExactly(lease(1));
        assertThat(found("chemistry", 0, 60)).isEmpty();
        assertThat(refusals.page(question("astronomy", 0, 60, null, 100)).items().getFirst())
                .satisfies(
                        refusal -> {
                            assertThat(refusal.isChange()).isTrue();
                            assertThat(refusal.period()).isEqualTo(window(60, 180));
                            assertThat(refusal.at()).isEqualTo(minute(30));
                            assertThat(refusal.shortages()).hasSize(1);
                        });
    }

    @Test
    void refusals_are_counted_by_kind_and_reason() {
        refusals();

        assertThat(refusals.count(question(null, 0, 60, null, 1)))
                .containsExactly(
                        new RefusalCount(ResourceKind.PHYSICAL_HOST, Reason.NOT_ENOUGH_MATCHING, 1),
                        new RefusalCount(ResourceKind.PHYSICAL_HOST, Reason.NOT_ENOUGH_FREE, 2));
        assertThat(refusals.count(question("biology", 0, 60, null, 1)))
                .containsExactly(
                        new RefusalCount(ResourceKind.PHYSICAL_HOST, Reason.NOT_ENOUGH_FREE, 1));
        assertThat(refusals.count(question("chemistry", 0, 60, null, 1))).isEmpty();
    }

    @Test
    void pages_together_equal_the_whole_list() {
        refusals();
        List<LeaseId> paged = new ArrayList<>();
        @Nullable String marker = null;
        do {
            var page = refusals.page(question(null, 0, 60, marker, 1));
            page.items().forEach(refusal -> paged.add(refusal.lease()));
            marker = page.next();
        } while (marker != null);

        assertThat(paged).containsExactly(lease(3), lease(2), lease(1));
        assertThatThrownBy(() -> refusals.page(question(null, 0, 60, "nonsense", 1)))
                .isInstanceOf(UnknownMarker.class);
    }

    /** A rebuild renames indexes by their columns. */
    @Test
    void the_indexes_of_entries_differ_in_their_columns() {
        assertThat(
                        journal.jdbc()
                                .queryForList(
                                        """
                                        SELECT indkey::text FROM pg_index
                                        WHERE indrelid = 'event_entry'::regclass
                                        """,
                                        String.class))
                .hasSizeGreaterThan(6)
                .doesNotHaveDuplicates();
    }
}
