package org.leasehold.publishing.notification;

import static org.leasehold.readmodel.lease.ScheduledEventView.Status.DONE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Status.ERROR;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toUnmodifiableSet;

import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Maps events to Blazar's notifications. */
final class NotificationMapper {

    /** Contains every event of a lease: those without a notification are deliberate. */
    private static final Map<String, List<Rule>> RULES_BY_EVENT =
            Map.ofEntries(
                    entry(
                            "LeaseRequested",
                            List.of(rule(NotificationType.CREATE, m -> !m.isOfImportedLease()))),
                    entry("LeaseRefused", List.of()),
                    // Blazar notifies of a lease once its resources are reserved.
                    entry("LeaseRetryScheduled", List.of()),
                    entry("ReservationGranted", List.of()),
                    entry("LeaseImported", List.of()),
                    entry("LeaseRenamed", List.of()),
                    entry("LeaseRescheduled", changeRules()),
                    entry("ReservationChanged", changeRules()),
                    entry("ReservationAdded", changeRules()),
                    entry("ReservationRemoved", removalRules()),
                    entry("LeaseChangeRefused", List.of()),
                    entry("LeaseDelayed", List.of()),
                    entry("ResourceReplaced", List.of()),
                    entry("LeaseStarting", List.of()),
                    entry("ReservationActivated", List.of()),
                    entry(
                            "LeaseActivated",
                            List.of(
                                    rule(
                                            NotificationType.START,
                                            m -> m.setsStatus(START_LEASE, DONE)))),
                    entry("ReservationAdjusting", List.of()),
                    entry("ReservationAdjusted", List.of()),
                    // Only the first failure matters; the lease is in error from then on.
                    entry(
                            "ReservationFailed",
                            List.of(
                                    rule(
                                            NotificationType.START,
                                            m -> m.setsStatus(START_LEASE, ERROR)),
                                    rule(
                                            NotificationType.END,
                                            m ->
                                                    m.setsStatus(END_LEASE, ERROR)
                                                            && !m.wasDeletionRequested()))),
                    // Blazar never notifies of hosts, even if their failures affect leases.
                    entry("ResourceFailed", List.of()),
                    entry("ResourceRecovered", List.of()),
                    entry(
                            "LeaseEndAnnounced",
                            List.of(rule(NotificationType.BEFORE_END, _ -> true))),
                    entry("LeaseEnding", List.of()),
                    entry("ReservationReleased", List.of()),
                    entry(
                            "LeaseEnded",
                            List.of(rule(NotificationType.END, m -> !m.wasDeletionRequested()))),
                    entry(
                            "LeaseDeleted",
                            List.of(rule(NotificationType.DELETE, m -> !m.wasRetried()))));

    private final Leases leases;

    NotificationMapper(Leases leases) {
        this.leases = leases;
    }

    /** A possible notification of an event. */
    private record Rule(NotificationType notice, Predicate<LeaseTransition> when) {}

    private static Rule rule(NotificationType notice, Predicate<LeaseTransition> when) {
        return new Rule(notice, when);
    }

    /** Returns the rules of a change, which causes one notification after its last event. */
    private static List<Rule> changeRules() {
        return List.of(
                rule(NotificationType.UPDATE, m -> m.isLastOfChange() && !m.isConfirmation()),
                rule(
                        NotificationType.BEFORE_END_STOP,
                        m -> m.isLastOfChange() && m.repeatsEndAnnouncement()));
    }

    /** Returns the rules of a removal; its repetition after a failure changes nothing. */
    private static List<Rule> removalRules() {
        return changeRules().stream()
                .map(
                        change ->
                                rule(
                                        change.notice(),
                                        m -> m.removesReservation() && change.when().test(m)))
                .toList();
    }

    /** Returns the catalog names of all events in the table. */
    static Set<String> knownEvents() {
        return RULES_BY_EVENT.keySet();
    }

    /** Returns the catalog names of all events that may cause a notification. */
    static Set<String> notifiedEvents() {
        return RULES_BY_EVENT.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .collect(toUnmodifiableSet());
    }

    /**
     * Returns the notifications of an event, in order.
     *
     * @throws IllegalArgumentException if the event is not in the table
     */
    List<Notification> toNotifications(Entry event) {
        List<Rule> rules = RULES_BY_EVENT.get(event.type());
        if (rules == null) {
            throw new IllegalArgumentException("it is not said who is notified of " + event.type());
        }
        LeaseTransition moment = new LeaseTransition(event, leases);
        return rules.stream()
                .filter(rule -> rule.when().test(moment))
                .map(rule -> new Notification(rule.notice(), lease(rule.notice(), moment)))
                .toList();
    }

    private static LeaseView lease(NotificationType notice, LeaseTransition moment) {
        return notice == NotificationType.DELETE
                ? withDeletingStatus(moment.before())
                : moment.after();
    }

    /** Sets the status that Blazar has here; our lease may be over already. */
    private static LeaseView withDeletingStatus(LeaseView lease) {
        return new LeaseView(
                lease.id(),
                lease.projectId(),
                lease.userId(),
                lease.name(),
                LeaseStatus.DELETING,
                lease.period(),
                lease.beforeEnd(),
                lease.explanation(),
                lease.reservations(),
                lease.scheduledEvents(),
                lease.createdAt(),
                lease.updatedAt(),
                lease.version(),
                null,
                lease.onFailure());
    }
}
