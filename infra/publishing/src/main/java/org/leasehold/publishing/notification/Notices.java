package org.leasehold.publishing.notification;

import static org.leasehold.query.ScheduledEventView.Status.DONE;
import static org.leasehold.query.ScheduledEventView.Status.ERROR;
import static org.leasehold.query.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.query.ScheduledEventView.Type.START_LEASE;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toUnmodifiableSet;

import org.leasehold.query.Feed.Entry;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Maps events to Blazar's notifications. */
final class Notices {

    /** Contains every event of a lease: those without a notification are deliberate. */
    private static final Map<String, List<Rule>> TABLE =
            Map.ofEntries(
                    entry("LeaseRequested", List.of(tell(Notice.CREATE, m -> !m.isOfImport()))),
                    entry("LeaseRefused", List.of()),
                    entry("ReservationGranted", List.of()),
                    entry("LeaseImported", List.of()),
                    entry("LeaseRenamed", List.of()),
                    entry("LeaseRescheduled", change()),
                    entry("ReservationChanged", change()),
                    entry("ReservationAdded", change()),
                    entry("LeaseChangeRefused", List.of()),
                    entry("LeaseDelayed", List.of()),
                    entry("ResourceReplaced", List.of()),
                    entry("LeaseStarting", List.of()),
                    entry("ReservationActivated", List.of()),
                    entry(
                            "LeaseActivated",
                            List.of(tell(Notice.START, m -> m.takes(START_LEASE, DONE)))),
                    entry("ReservationAdjusting", List.of()),
                    entry("ReservationAdjusted", List.of()),
                    // Only the first failure matters; the lease is in error from then on.
                    entry(
                            "ReservationFailed",
                            List.of(
                                    tell(Notice.START, m -> m.takes(START_LEASE, ERROR)),
                                    tell(
                                            Notice.END,
                                            m ->
                                                    m.takes(END_LEASE, ERROR)
                                                            && !m.isOfOneThatGoes()))),
                    // Blazar never notifies of hosts, even if their failures affect leases.
                    entry("ResourceFailed", List.of()),
                    entry("ResourceRecovered", List.of()),
                    entry("LeaseEndAnnounced", List.of(tell(Notice.BEFORE_END, _ -> true))),
                    entry("LeaseEnding", List.of()),
                    entry("ReservationReleased", List.of()),
                    entry("LeaseEnded", List.of(tell(Notice.END, m -> !m.isOfOneThatGoes()))),
                    entry("LeaseDeleted", List.of(tell(Notice.DELETE, _ -> true))));

    private final Leases leases;

    Notices(Leases leases) {
        this.leases = leases;
    }

    /** A possible notification of an event. */
    private record Rule(Notice notice, Predicate<Moment> when) {}

    private static Rule tell(Notice notice, Predicate<Moment> when) {
        return new Rule(notice, when);
    }

    /** Returns the rules of a change, which causes one notification after its last event. */
    private static List<Rule> change() {
        return List.of(
                tell(Notice.UPDATE, Moment::endsChange),
                tell(Notice.BEFORE_END_STOP, m -> m.endsChange() && m.rearms()));
    }

    /** Returns the catalog names of all events in the table. */
    static Set<String> known() {
        return TABLE.keySet();
    }

    /** Returns the catalog names of all events that may cause a notification. */
    static Set<String> told() {
        return TABLE.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .collect(toUnmodifiableSet());
    }

    /**
     * Returns the notifications of an event, in order.
     *
     * @throws IllegalArgumentException if the event is not in the table
     */
    List<Notification> of(Entry event) {
        List<Rule> rules = TABLE.get(event.type());
        if (rules == null) {
            throw new IllegalArgumentException("it is not said who is notified of " + event.type());
        }
        Moment moment = new Moment(event, leases);
        return rules.stream()
                .filter(rule -> rule.when().test(moment))
                .map(rule -> new Notification(rule.notice(), lease(rule.notice(), moment)))
                .toList();
    }

    private static LeaseView lease(Notice notice, Moment moment) {
        return notice == Notice.DELETE ? deleting(moment.before()) : moment.after();
    }

    /** Sets the status that Blazar has here; our lease may be over already. */
    private static LeaseView deleting(LeaseView lease) {
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
                lease.version());
    }
}
