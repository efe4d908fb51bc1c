package org.leasehold.query.label;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.ReservationWish;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

class PostgresLabelsTest {

    private static BookingEventLog journal;
    private static Labels labels;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
        labels = new PostgresLabels(journal.database.client());
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
    }

    @Test
    void a_renamed_lease_has_the_current_name_or_that_of_a_past_position() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        long booked = journal.database.head();
        journal.append(10, new LeaseRenamed(lease(1), "nightly"));

        assertThat(labels.leases(Set.of(lease(1)), null).get(lease(1))).isEqualTo(label("nightly"));
        assertThat(labels.leases(Set.of(lease(1)), booked).get(lease(1)))
                .isEqualTo(label("a lease"));
        assertThat(labels.leases(Set.of(lease(1)), 0L)).isEmpty();
    }

    private static LeaseLabel label(String name) {
        return new LeaseLabel(
                name,
                new ProjectId("astronomy"),
                new UserId("ada"),
                Map.of(
                        reservation(1, 1),
                        ResourceKind.PHYSICAL_HOST,
                        reservation(1, 2),
                        ResourceKind.PHYSICAL_HOST));
    }

    @Test
    void a_deleted_lease_and_a_later_reservation_have_labels() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.book(2, "biology", window(60, 120), host(2));
        journal.append(
                5,
                new ReservationAdded(
                        lease(1),
                        new ReservationWish(reservation(1, 3), ResourceKind.VOLUME, Map.of())),
                new LeaseDeleted(lease(1)));

        Map<?, LeaseLabel> found = labels.leases(Set.of(lease(1), lease(2), lease(3)), null);

        assertThat(found).hasSize(2);
        assertThat(Objects.requireNonNull(found.get(lease(1))).kinds())
                .containsEntry(reservation(1, 3), ResourceKind.VOLUME)
                .containsEntry(reservation(1, 1), ResourceKind.PHYSICAL_HOST);
        assertThat(Objects.requireNonNull(found.get(lease(2))).project())
                .isEqualTo(new ProjectId("biology"));
    }
}
