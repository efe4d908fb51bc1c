package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.UseObserved;
import org.leasehold.vocabulary.LeasePeriod;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The selection of events before hour 4 that may matter after it. */
class PriorEventsTest {

    private static final Instant START = Instant.parse("2030-01-01T12:00:00Z");
    private static final EventCatalog CATALOG = new EventCatalog();
    private static final JsonMapper JSON = EventJson.mapper();

    private static EventStoreDatabase database;

    private final PostgresEventLog log = new PostgresEventLog(CATALOG, JSON);

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
    }

    @BeforeEach
    void forget() {
        database.jdbc().sql("TRUNCATE domain_event RESTART IDENTITY").update();
    }

    private static Instant hour(double hours) {
        return START.plus(Duration.ofMinutes(Math.round(hours * 60)));
    }

    private static void happened(double hours, String stream, Object event) {
        EventCatalog.Entry entry = CATALOG.of(event.getClass());
        database.jdbc()
                .sql(
                        """
                        INSERT INTO domain_event (event_id, stream_type, stream_id, sequence,
                            event_type, event_version, payload, metadata, decided_at)
                        VALUES (:id, :kind, :stream,
                            (SELECT count(*) FROM domain_event WHERE stream_id = :stream),
                            :type, 1, :payload::jsonb, '{}', :at::timestamptz)
                        """)
                .param("id", UUID.randomUUID())
                .param("kind", entry.stream())
                .param("stream", stream)
                .param("type", entry.name())
                .param("payload", JSON.writeValueAsString(event))
                .param("at", hour(hours).toString())
                .update();
    }

    private static ReservationGranted granted(double cleaningHours) {
        return new ReservationGranted(
                EventSamples.LEASE,
                EventSamples.RESERVATION,
                EventSamples.PERIOD,
                Duration.between(START, hour(cleaningHours)),
                List.of());
    }

    private static LeaseRefused refused(double endHours) {
        return new LeaseRefused(
                EventSamples.LEASE,
                EventSamples.PROJECT,
                EventSamples.USER,
                "",
                new LeasePeriod(START, hour(endHours)),
                null,
                List.of(),
                List.of(),
                0,
                null);
    }

    private static LeaseChangeRefused notChanged(double endHours) {
        return new LeaseChangeRefused(
                EventSamples.LEASE,
                new LeasePeriod(START, hour(endHours)),
                List.of(),
                List.of(),
                0);
    }

    private static LeaseEnded ended() {
        return new LeaseEnded(EventSamples.LEASE, EndCause.WINDOW_OVER);
    }

    private static LeaseDeleted deleted() {
        return new LeaseDeleted(EventSamples.LEASE);
    }

    /** Returns the stream of each event. */
    private List<String> prologue() throws SQLException {
        long last =
                database.jdbc()
                        .sql(
                                "SELECT count(*) FROM domain_event WHERE decided_at <"
                                        + " :until::timestamptz")
                        .param("until", hour(4).toString())
                        .query(Long.class)
                        .single();
        List<RecordedEvent> read = new ArrayList<>();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            log.readPriorEvents(connection, hour(4), last, read::addAll);
        }
        return read.stream().map(RecordedEvent::stream).toList();
    }

    @Test
    void an_unfinished_lease_is_read_from_the_start_to_the_instant() throws SQLException {
        happened(0, "lives", granted(0));
        happened(1, "lives", new LeaseRenamed(EventSamples.LEASE, "still"));
        happened(4, "lives", ended());
        happened(4, "comes", granted(0));

        assertThat(prologue()).containsExactly("lives", "lives");
    }

    @Test
    void finished_leases_are_left_out() throws SQLException {
        happened(0, "ended", granted(0));
        happened(1, "ended", ended());
        happened(1, "deleted", granted(0));
        happened(2, "deleted", deleted());
        happened(2, "refused", refused(4));
        happened(3, "lives", granted(0));
        happened(5, "ended", deleted());

        assertThat(prologue()).containsExactly("lives");
    }

    @Test
    void an_ended_lease_is_read_during_the_cleaning_time() throws SQLException {
        happened(0, "clean", granted(2.9));
        happened(0, "cleaned", granted(3.1));
        happened(1, "clean", ended());
        happened(1, "cleaned", ended());
        happened(2, "lives", granted(0));

        assertThat(prologue()).containsExactly("cleaned", "cleaned", "lives");
    }

    @Test
    void a_refusal_is_read_until_the_end_of_the_refused_window() throws SQLException {
        happened(0, "refused", refused(4.1));
        happened(1, "ended", granted(0));
        happened(1, "not prolonged", granted(0));
        happened(2, "ended", notChanged(4));
        happened(2, "not prolonged", notChanged(4.1));
        happened(3, "ended", ended());
        happened(3, "not prolonged", ended());

        assertThat(prologue())
                .containsExactly("refused", "not prolonged", "not prolonged", "not prolonged");
    }

    @Test
    void the_lease_of_the_last_grant_is_read_even_if_it_is_over() throws SQLException {
        happened(0, "first", granted(0));
        happened(1, "last", granted(0));
        happened(2, "first", ended());
        happened(2, "last", ended());

        assertThat(prologue()).containsExactly("last", "last");
    }

    @Test
    void events_of_resources_and_properties_are_read_but_no_observed_use() throws SQLException {
        happened(0, "property", new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "gpu", true));
        happened(0, "resource", new ResourceRetired(new ResourceId(1)));
        happened(
                1,
                "use",
                new UseObserved(
                        EventSamples.LEASE,
                        EventSamples.PROJECT,
                        EventSamples.RESERVATION,
                        new ResourceId(1),
                        2,
                        8));

        assertThat(prologue()).containsExactly("property", "resource");
    }

    @Test
    void an_unreadable_event_is_an_error() {
        happened(0, "lives", granted(0));
        database.jdbc().sql("UPDATE domain_event SET event_type = 'LeasePainted'").update();

        assertThatThrownBy(this::prologue)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("event 1, LeasePainted");
    }
}
