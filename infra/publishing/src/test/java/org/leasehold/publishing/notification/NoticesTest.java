package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.publishing.notification.Lives.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.ScheduledEventView;

import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The notifications of each event. */
class NoticesTest {

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

    private final Lives life = new Lives();
    private final Notices notices = new Notices(life);

    /** Compares with the event catalog: every new event needs a rule, or none on purpose. */
    @Test
    void it_is_said_of_every_event_that_is_stored() {
        Set<String> stored = new TreeSet<>();
        JsonMapper.builder()
                .build()
                .readTree(Path.of("../openapi/asyncapi.json"))
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

        assertThat(Notices.known()).containsExactlyInAnyOrderElementsOf(stored);
    }

    @Test
    void nobody_is_notified_of_these() {
        for (String type : Notices.known()) {
            if (!Notices.told().contains(type)) {
                assertThat(told(life.happens(type, ACTIVE))).as(type).isEmpty();
            }
        }
        assertThat(Notices.told())
                .containsExactlyInAnyOrder(
                        "LeaseRequested",
                        "LeaseRescheduled",
                        "ReservationChanged",
                        "ReservationAdded",
                        "LeaseActivated",
                        "ReservationFailed",
                        "LeaseEndAnnounced",
                        "LeaseEnded",
                        "LeaseDeleted");
    }

    @Test
    void what_nobody_has_thought_of_is_not_passed_over() {
        assertThatThrownBy(() -> told(life.happens("LeasePaused", ACTIVE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LeasePaused");
    }

    @Test
    void a_lease_is_created() {
        Entry requested = life.happens("LeaseRequested", PENDING);
        life.happens("ReservationGranted", PENDING);

        assertThat(told(requested)).containsExactly("lease.create PENDING");
    }

    @Test
    void one_that_came_from_elsewhere_is_not() {
        Entry requested = life.happens("LeaseRequested", PENDING);
        life.happens("LeaseImported", ACTIVE);

        assertThat(told(requested)).isEmpty();
    }

    @Test
    void it_starts() {
        life.happens("LeaseStarting", STARTING);

        assertThat(told(life.happens("LeaseActivated", ACTIVE)))
                .containsExactly("lease.event.start_lease ACTIVE");
    }

    @Test
    void a_start_that_fails_is_told_once_whatever_else_of_it_fails() {
        life.happens("LeaseStarting", STARTING);
        Entry first = life.happens("ReservationFailed", FAILED);
        Entry second = life.happens("ReservationFailed", FAILED);

        assertThat(told(first)).containsExactly("lease.event.start_lease ERROR");
        assertThat(told(second)).isEmpty();
    }

    @Test
    void its_end_is_announced() {
        life.happens("LeaseActivated", ACTIVE);

        assertThat(told(life.happens("LeaseEndAnnounced", ANNOUNCED)))
                .containsExactly("lease.event.before_end_lease ACTIVE");
    }

    @Test
    void it_ends() {
        life.happens("LeaseEnding", ENDING);

        assertThat(told(life.happens("LeaseEnded", ENDED)))
                .containsExactly("lease.event.end_lease TERMINATED");
    }

    @Test
    void an_end_that_fails_is_told_and_then_that_it_is_over() {
        life.happens("LeaseEnding", ENDING);

        assertThat(told(life.happens("ReservationFailed", END_FAILED)))
                .containsExactly("lease.event.end_lease ERROR");
        assertThat(told(life.happens("LeaseEnded", ENDED)))
                .containsExactly("lease.event.end_lease TERMINATED");
    }

    @Test
    void one_that_is_deleted_does_not_end_besides() {
        life.happens("LeaseEnding", DELETING);

        assertThat(told(life.happens("ReservationFailed", END_FAILED))).isEmpty();
        life.happens("LeaseEnding", DELETING);
        assertThat(told(life.happens("LeaseEnded", DELETING))).isEmpty();
        assertThat(told(life.happens("LeaseDeleted", null)))
                .containsExactly("lease.delete DELETING");
    }

    @Test
    void one_that_could_not_be_deleted_does_not_end_when_an_operator_gives_it_up() {
        life.happens("LeaseEnding", DELETING);
        life.happens("ReservationFailed", END_FAILED);

        assertThat(told(life.happens("LeaseEnded", ENDED))).isEmpty();
        assertThat(told(life.happens("LeaseDeleted", null)))
                .containsExactly("lease.delete DELETING");
    }

    @Test
    void one_that_was_over_is_deleted_as_all_are() {
        life.happens("LeaseEnded", ENDED);

        assertThat(told(life.happens("LeaseDeleted", null)))
                .containsExactly("lease.delete DELETING");
    }

    @Test
    void a_change_is_told_once_when_all_of_it_is_there() {
        life.happens("LeaseRequested", "r1", PENDING);
        life.happens("ReservationGranted", "r1", PENDING);
        Entry renamed = life.happens("LeaseRenamed", "r2", PENDING);
        Entry moved = life.happens("LeaseRescheduled", "r2", PENDING);
        Entry grown = life.happens("ReservationChanged", "r2", PENDING);
        Entry joined = life.happens("ReservationAdded", "r2", PENDING);
        life.happens("ReservationGranted", "r2", PENDING);

        assertThat(told(renamed)).isEmpty();
        assertThat(told(moved)).isEmpty();
        assertThat(told(grown)).isEmpty();
        assertThat(told(joined)).containsExactly("lease.update PENDING");
    }

    @Test
    void two_changes_are_two() {
        life.happens("LeaseRequested", "r1", PENDING);
        Entry moved = life.happens("LeaseRescheduled", "r2", PENDING);
        Entry grown = life.happens("ReservationChanged", "r3", PENDING);

        assertThat(told(moved)).containsExactly("lease.update PENDING");
        assertThat(told(grown)).containsExactly("lease.update PENDING");
    }

    @Test
    void an_announcement_that_is_taken_back_is_told_after_the_change() {
        life.happens("LeaseEndAnnounced", "r1", ANNOUNCED);
        Entry moved = life.happens("LeaseRescheduled", "r2", ACTIVE);
        Entry grown = life.happens("ReservationChanged", "r2", ACTIVE);
        Entry again = life.happens("LeaseRescheduled", "r3", ACTIVE);

        assertThat(told(moved)).isEmpty();
        assertThat(told(grown))
                .containsExactly("lease.update ACTIVE", "lease.event.before_end_lease.stop ACTIVE");
        assertThat(told(again)).containsExactly("lease.update ACTIVE");
    }

    /** Adds the status of the lease in Blazar's terms. */
    private List<String> told(Entry event) {
        return notices.of(event).stream()
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
