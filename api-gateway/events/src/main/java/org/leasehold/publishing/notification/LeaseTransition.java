package org.leasehold.publishing.notification;

import static org.leasehold.readmodel.lease.ScheduledEventView.Status.DONE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Status.UNDONE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/** An event of a lease, and the lease before and after it; queried on demand. */
final class LeaseTransition {

    /** Events of which one command may cause several; the last one includes all changes. */
    private static final Set<String> CHANGES =
            Set.of(
                    "LeaseRescheduled",
                    "ReservationChanged",
                    "ReservationAdded",
                    "ReservationRemoved");

    /** The events that follow a smaller request in the cloud's confirmation of it. */
    private static final List<String> CONFIRMATION =
            List.of("ReservationGranted", "ReservationAdjusted");

    private static final String IMPORT = "LeaseImported";
    private static final String ENDING = "LeaseEnding";

    private final Entry event;
    private final LeaseId lease;
    private final Leases leases;
    private @Nullable List<HistoryEntry> history;
    private @Nullable LeaseView before;
    private @Nullable LeaseView after;

    LeaseTransition(Entry event, Leases leases) {
        this.event = event;
        this.lease = LeaseId.of(event.stream());
        this.leases = leases;
    }

    /**
     * Returns the lease right before the event.
     *
     * @throws NoSuchElementException if there was none
     */
    LeaseView before() {
        if (before == null) {
            before = asOf(event.position() - 1);
        }
        return before;
    }

    /**
     * Returns the lease right after the event.
     *
     * @throws NoSuchElementException if there is none
     */
    LeaseView after() {
        if (after == null) {
            after = asOf(event.position());
        }
        return after;
    }

    /** Returns true if the event gave a scheduled event a status that it did not have. */
    boolean setsStatus(ScheduledEventView.Type type, ScheduledEventView.Status status) {
        return hasStatus(after(), type, status) && !hasStatus(before(), type, status);
    }

    /** Returns true if the lease was not granted before; nobody was notified of its creation. */
    boolean wasRetried() {
        return before().status() == LeaseStatus.RETRYING;
    }

    /** Returns true if the event removed a reservation that the lease still had. */
    boolean removesReservation() {
        return countRemoved(after()) > countRemoved(before());
    }

    private static long countRemoved(LeaseView lease) {
        return lease.reservations().stream().filter(each -> each.status().isRemoved()).count();
    }

    /** Returns true if a deletion was requested before, even if it has failed since. */
    boolean wasDeletionRequested() {
        return history().stream()
                .filter(each -> each.type().equals(ENDING) && each.position() < event.position())
                .anyMatch(each -> asOf(each.position()).status() == LeaseStatus.DELETING);
    }

    /** Returns true if the lease is imported; the other service has notified of it. */
    boolean isOfImportedLease() {
        return history().stream().anyMatch(each -> each.type().equals(IMPORT));
    }

    /** Returns true if this is the last event of its change. */
    boolean isLastOfChange() {
        int next = index() + 1;
        return next == history().size() || !isOfSameChange(history().get(next));
    }

    /**
     * Returns true if this is the smaller request that the cloud has just confirmed; the project
     * was notified when it requested the change.
     */
    boolean isConfirmation() {
        return history().stream()
                .skip(index() + 1L)
                .limit(CONFIRMATION.size())
                .filter(this::isOfSameCommand)
                .map(HistoryEntry::type)
                .toList()
                .equals(CONFIRMATION);
    }

    /** Returns true if its change causes another announcement of the end. */
    boolean repeatsEndAnnouncement() {
        int first = index();
        while (first > 0 && isOfSameChange(history().get(first - 1))) {
            first--;
        }
        LeaseView unchanged = asOf(history().get(first).position() - 1);
        return hasStatus(unchanged, BEFORE_END_LEASE, DONE)
                && hasStatus(after(), BEFORE_END_LEASE, UNDONE);
    }

    private boolean isOfSameChange(HistoryEntry other) {
        return CHANGES.contains(other.type()) && isOfSameCommand(other);
    }

    private boolean isOfSameCommand(HistoryEntry other) {
        return Objects.equals(other.requestId(), event.requestId())
                && Objects.equals(other.causation(), event.causation());
    }

    private int index() {
        int index = 0;
        while (history().get(index).position() != event.position()) {
            index++;
        }
        return index;
    }

    private List<HistoryEntry> history() {
        if (history == null) {
            history = leases.history(lease, null);
        }
        return history;
    }

    private LeaseView asOf(long position) {
        return leases.find(lease, null, position).orElseThrow();
    }

    private static boolean hasStatus(
            LeaseView lease, ScheduledEventView.Type type, ScheduledEventView.Status status) {
        return lease.scheduledEvents().stream()
                .filter(each -> each.type() == type)
                .map(ScheduledEventView::status)
                .anyMatch(status::equals);
    }
}
