package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.publishing.notification.ScriptedLeases.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ScheduledEventView;

import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The notifications of each event. */
class NotificationMapperTest {

    private static final LeaseView PENDING =
            lease(
                    LeaseStatus.PENDING,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE);
    private static final LeaseView STARTING =
            lease(
                    LeaseStatus.STARTING,
                    ScheduledEventView.Status.IN_PROGRESS,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE);
    private static final LeaseView FAILED =
            lease(
                    LeaseStatus.ERROR,
                    ScheduledEventView.Status.ERROR,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE);
    private static final LeaseView ACTIVE =
            lease(
                    LeaseStatus.ACTIVE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE);
    private static final LeaseView ANNOUNCED =
            lease(
                    LeaseStatus.ACTIVE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.UNDONE);
    private static final LeaseView ENDING =
            lease(
                    LeaseStatus.ENDING,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.IN_PROGRESS);
    private static final LeaseView DELETING =
            lease(
                    LeaseStatus.DELETING,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.IN_PROGRESS);
    private static final LeaseView END_FAILED =
            lease(
                    LeaseStatus.ERROR,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.ERROR);
    private static final LeaseView ENDED =
            lease(
                    LeaseStatus.ENDED,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.DONE);

    private final ScriptedLeases life = new ScriptedLeases();
    private final NotificationMapper notices = new NotificationMapper(life);

    /** Compares with the event catalog: every new event needs a rule, or none on purpose. */
    @Test
    void every_stored_lease_event_has_a_rule() {
        Set<String> stored = new TreeSet<>();
        JsonMapper.builder()
                .build()
                .readTree(Path.of("../../infra/docs/openapi/asyncapi.json"))
                .path("channels")
                .path("events")
                .path("messages")
                .propertyNames()
                .forEach(name -> stored.add(name.substring(0, name.lastIndexOf('.'))));
        Set<String> ofNoLease =
                Set.of(
                        "ResourceEnrolled",
                        "ResourceChanged",
                        "ResourceDescribed",
                        "ResourceDisabled",
                        "ResourceEnabled",
                        "ResourceRetired",
                        "PropertyVisibility",
                        "UseObserved");
        assertThat(stored).containsAll(ofNoLease);
        stored.removeAll(ofNoLease);

        assertThat(NotificationMapper.knownEvents()).containsExactlyInAnyOrderElementsOf(stored);
    }

    @Test
    void only_the_listed_events_cause_notifications() {
        for (String type : NotificationMapper.knownEvents()) {
            if (!NotificationMapper.notifiedEvents().contains(type)) {
                assertThat(notifications(life.happens(type, ACTIVE))).as(type).isEmpty();
            }
        }
        assertThat(NotificationMapper.notifiedEvents())
                .containsExactlyInAnyOrder(
                        "LeaseRequested",
                        "LeaseRescheduled",
                        "ReservationChanged",
                        "ReservationAdded",
                        "ReservationRemoved",
                        "LeaseActivated",
                        "ReservationFailed",
                        "LeaseEndAnnounced",
                        "LeaseEnded",
                        "LeaseDeleted");
    }

    @Test
    void a_removal_causes_one_update_notification_and_a_repetition_none() {
        life.happens("LeaseActivated", ACTIVE);
        LeaseView leaving = ScriptedLeases.leaving(ACTIVE);

        assertThat(notifications(life.happens("ReservationRemoved", leaving)))
                .containsExactly("lease.update ACTIVE");
        assertThat(notifications(life.happens("ReservationRemoved", leaving))).isEmpty();
    }

    @Test
    void an_unknown_event_type_causes_an_exception() {
        assertThatThrownBy(() -> notifications(life.happens("LeasePaused", ACTIVE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LeasePaused");
    }

    @Test
    void a_requested_lease_causes_a_create_notification() {
        Entry requested = life.happens("LeaseRequested", PENDING);
        life.happens("ReservationGranted", PENDING);

        assertThat(notifications(requested)).containsExactly("lease.create PENDING");
    }

    @Test
    void an_imported_lease_causes_no_create_notification() {
        Entry requested = life.happens("LeaseRequested", PENDING);
        life.happens("LeaseImported", ACTIVE);

        assertThat(notifications(requested)).isEmpty();
    }

    @Test
    void an_activated_lease_causes_a_start_notification() {
        life.happens("LeaseStarting", STARTING);

        assertThat(notifications(life.happens("LeaseActivated", ACTIVE)))
                .containsExactly("lease.event.start_lease ACTIVE");
    }

    @Test
    void a_failed_start_causes_one_notification() {
        life.happens("LeaseStarting", STARTING);
        Entry first = life.happens("ReservationFailed", FAILED);
        Entry second = life.happens("ReservationFailed", FAILED);

        assertThat(notifications(first)).containsExactly("lease.event.start_lease ERROR");
        assertThat(notifications(second)).isEmpty();
    }

    @Test
    void an_announced_end_causes_a_before_end_notification() {
        life.happens("LeaseActivated", ACTIVE);

        assertThat(notifications(life.happens("LeaseEndAnnounced", ANNOUNCED)))
                .containsExactly("lease.event.before_end_lease ACTIVE");
    }

    @Test
    void an_ended_lease_causes_an_end_notification() {
        life.happens("LeaseEnding", ENDING);

        assertThat(notifications(life.happens("LeaseEnded", ENDED)))
                .containsExactly("lease.event.end_lease TERMINATED");
    }

    @Test
    void a_failed_end_is_notified_with_error_and_then_as_terminated() {
        life.happens("LeaseEnding", ENDING);

        assertThat(notifications(life.happens("ReservationFailed", END_FAILED)))
                .containsExactly("lease.event.end_lease ERROR");
        assertThat(notifications(life.happens("LeaseEnded", ENDED)))
                .containsExactly("lease.event.end_lease TERMINATED");
    }

    @Test
    void a_deletion_causes_no_end_notification() {
        life.happens("LeaseEnding", DELETING);

        assertThat(notifications(life.happens("ReservationFailed", END_FAILED))).isEmpty();
        life.happens("LeaseEnding", DELETING);
        assertThat(notifications(life.happens("LeaseEnded", DELETING))).isEmpty();
        assertThat(notifications(life.happens("LeaseDeleted", null)))
                .containsExactly("lease.delete DELETING");
    }

    @Test
    void a_failed_deletion_that_is_given_up_causes_no_end_notification() {
        life.happens("LeaseEnding", DELETING);
        life.happens("ReservationFailed", END_FAILED);

        assertThat(notifications(life.happens("LeaseEnded", ENDED))).isEmpty();
        assertThat(notifications(life.happens("LeaseDeleted", null)))
                .containsExactly("lease.delete DELETING");
    }

    @Test
    void the_deletion_of_an_ended_lease_causes_a_delete_notification() {
        life.happens("LeaseEnded", ENDED);

        assertThat(notifications(life.happens("LeaseDeleted", null)))
                .containsExactly("lease.delete DELETING");
    }

    @Test
    void a_change_of_several_events_causes_one_notification_at_the_end() {
        life.happens("LeaseRequested", "r1", PENDING);
        life.happens("ReservationGranted", "r1", PENDING);
        Entry renamed = life.happens("LeaseRenamed", "r2", PENDING);
        Entry moved = life.happens("LeaseRescheduled", "r2", PENDING);
        Entry grown = life.happens("ReservationChanged", "r2", PENDING);
        Entry joined = life.happens("ReservationAdded", "r2", PENDING);
        life.happens("ReservationGranted", "r2", PENDING);

        assertThat(notifications(renamed)).isEmpty();
        assertThat(notifications(moved)).isEmpty();
        assertThat(notifications(grown)).isEmpty();
        assertThat(notifications(joined)).containsExactly("lease.update PENDING");
    }

    @Test
    void two_changes_cause_two_notifications() {
        life.happens("LeaseRequested", "r1", PENDING);
        Entry moved = life.happens("LeaseRescheduled", "r2", PENDING);
        Entry grown = life.happens("ReservationChanged", "r3", PENDING);

        assertThat(notifications(moved)).containsExactly("lease.update PENDING");
        assertThat(notifications(grown)).containsExactly("lease.update PENDING");
    }

    @Test
    void the_confirmation_of_a_smaller_request_causes_no_notification() {
        life.happens("LeaseRequested", "r1", ACTIVE);
        Entry shrunk = life.happens("ReservationChanged", "r2", ACTIVE);
        life.happens("ReservationGranted", "r2", ACTIVE);
        life.happens("ReservationAdjusting", "r2", ACTIVE);
        Entry confirmed = life.happens("ReservationChanged", "r3", ACTIVE);
        life.happens("ReservationGranted", "r3", ACTIVE);
        life.happens("ReservationAdjusted", "r3", ACTIVE);

        assertThat(notifications(shrunk)).containsExactly("lease.update ACTIVE");
        assertThat(notifications(confirmed)).isEmpty();
    }

    @Test
    void a_withdrawn_announcement_is_notified_after_the_change() {
        life.happens("LeaseEndAnnounced", "r1", ANNOUNCED);
        Entry moved = life.happens("LeaseRescheduled", "r2", ACTIVE);
        Entry grown = life.happens("ReservationChanged", "r2", ACTIVE);
        Entry again = life.happens("LeaseRescheduled", "r3", ACTIVE);

        assertThat(notifications(moved)).isEmpty();
        assertThat(notifications(grown))
                .containsExactly("lease.update ACTIVE", "lease.event.before_end_lease.stop ACTIVE");
        assertThat(notifications(again)).containsExactly("lease.update ACTIVE");
    }

    /** Adds the status of the lease in Blazar's terms. */
    private List<String> notifications(Entry event) {
        return notices.toNotifications(event).stream()
                .map(
                        each ->
                                each.notice().eventType()
                                        + " "
                                        + (each.lease().status() == LeaseStatus.ENDED
                                                ? "TERMINATED"
                                                : each.lease().status().name()))
                .toList();
    }
}
