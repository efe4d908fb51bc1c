package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A lease while an event is applied to it. */
final class LeaseViewBuilder {

    /** The words between a failed end and the failed start that ends the lease. */
    private static final String BECAUSE = "; it ends because of this: ";

    /** The words that explain a failed removal. */
    static final String REMOVAL_FAILURE = "could not be removed";

    private static final Pattern FAILED_START =
            Pattern.compile(
                    "(?:.*?%s)?(Reservation \\S+ %s: .*)"
                            .formatted(BECAUSE, ReservationFold.START_FAILURE),
                    Pattern.DOTALL);

    private final LeaseView before;
    private final Instant at;
    private String name;
    private LeaseStatus status;
    private LeasePeriod period;
    private @Nullable Instant beforeEnd;
    private @Nullable String explanation;
    private final List<ReservationView> reservations;
    private List<ScheduledEventView> scheduledEvents;

    LeaseViewBuilder(LeaseView before, Instant at) {
        this.before = before;
        this.at = at;
        this.name = before.name();
        this.status = before.status();
        this.period = before.period();
        this.beforeEnd = before.beforeEnd();
        this.explanation = before.explanation();
        this.reservations = new ArrayList<>(before.reservations());
        this.scheduledEvents = new ArrayList<>(before.scheduledEvents());
    }

    LeaseViewBuilder name(String given) {
        name = given;
        return this;
    }

    LeaseViewBuilder status(LeaseStatus reached) {
        status = reached;
        return this;
    }

    LeaseViewBuilder explanation(@Nullable String text) {
        explanation = text;
        return this;
    }

    LeaseViewBuilder reschedule(LeasePeriod agreed, @Nullable Instant announced) {
        period = agreed;
        beforeEnd = announced;
        scheduledEvents =
                ScheduledEvents.rescheduled(scheduledEvents, before.id(), agreed, announced, at);
        return this;
    }

    LeaseViewBuilder setEventStatus(
            ScheduledEventView.Type type, ScheduledEventView.Status reached) {
        scheduledEvents.replaceAll(
                event ->
                        event.type() == type
                                ? ScheduledEvents.withStatus(event, reached, at)
                                : event);
        return this;
    }

    LeaseViewBuilder add(ReservationView further) {
        reservations.add(further);
        return this;
    }

    LeaseViewBuilder updateReservation(ReservationId id, Consumer<ReservationViewBuilder> change) {
        int index = indexOf(id);
        ReservationView reservation = reservations.get(index);
        ReservationViewBuilder draft = new ReservationViewBuilder(reservation);
        boolean firstGrant = isAwaitingFirstGrant(id);
        change.accept(draft);
        // The first grant completes the request: the reservation has not changed yet.
        boolean granted = firstGrant && !draft.allocations().isEmpty();
        reservations.set(index, draft.view(granted ? reservation.updatedAt() : at));
        return this;
    }

    /** Returns whether the reservation waits for its first grant. */
    boolean isAwaitingFirstGrant(ReservationId id) {
        ReservationView reservation = reservations.get(indexOf(id));
        return reservation.status() == ReservationView.Status.PENDING
                && reservation.allocations().isEmpty();
    }

    /** Returns whether the reservation was removed, and is not released yet. */
    boolean isRemoved(ReservationId id) {
        return reservations.get(indexOf(id)).status().isRemoved();
    }

    LeaseViewBuilder drop(ReservationId id) {
        reservations.remove(indexOf(id));
        return this;
    }

    /** Returns whether plug-ins take back the whole lease, or have failed to. */
    boolean isEnding() {
        return scheduledEvents.stream()
                .filter(event -> event.type() == ScheduledEventView.Type.END_LEASE)
                .anyMatch(event -> event.status() != ScheduledEventView.Status.UNDONE);
    }

    LeaseViewBuilder releaseAll() {
        reservations.removeIf(reservation -> reservation.status().isRemoved());
        List<ReservationId> ids = reservations.stream().map(ReservationView::id).toList();
        ids.forEach(id -> updateReservation(id, ReservationViewBuilder::release));
        return this;
    }

    /** Explains which resource a running lease lacks; the explanation of an error has priority. */
    LeaseViewBuilder explainMissingResource(
            ReservationId reservation, ResourceId resource, String reason) {
        if (status != LeaseStatus.ERROR) {
            String name =
                    reservations.stream()
                            .filter(each -> each.id().equals(reservation))
                            .flatMap(each -> each.allocations().stream())
                            .filter(each -> each.resource().equals(resource))
                            .map(Allocation::name)
                            .findFirst()
                            .orElseGet(resource::toString);
            explanation = "Reservation %s lacks %s: %s".formatted(reservation, name, reason);
        }
        return this;
    }

    /** Explains with the failed start alone why the lease ends, or has ended. */
    LeaseViewBuilder explainFailedStart() {
        String start = failedStart();
        explanation = start == null ? "A reservation could not be started." : start;
        return this;
    }

    /** Explains a failed end; keeps the explanation of a failed start that ends the lease. */
    LeaseViewBuilder explainFailedEnd(String text) {
        String start = failedStart();
        explanation = start == null ? text : text + BECAUSE + start;
        return this;
    }

    /**
     * Explains that a removed reservation could not be taken back. The explanation of an error, a
     * delay or an outage has priority.
     */
    LeaseViewBuilder explainFailedRemoval(String text) {
        if (runsWithoutOutage()) {
            explanation = text;
        }
        return this;
    }

    /** Clears the explanation, unless a removed reservation could not be taken back. */
    LeaseViewBuilder clearExplanation() {
        List<String> failed =
                reservations.stream()
                        .filter(r -> r.status() == ReservationView.Status.REMOVAL_FAILED)
                        .map(r -> "Reservation %s %s".formatted(r.id(), REMOVAL_FAILURE))
                        .toList();
        String text = explanation;
        if (text == null || failed.stream().noneMatch(text::startsWith)) {
            explanation = failed.isEmpty() ? null : failed.getFirst() + ".";
        }
        return this;
    }

    private @Nullable String failedStart() {
        if (explanation == null) {
            return null;
        }
        Matcher start = FAILED_START.matcher(explanation);
        return start.matches() ? start.group(1) : null;
    }

    /** Clears the explanation of a running lease as soon as it has all promised resources. */
    LeaseViewBuilder clearExplanationIfComplete() {
        if (runsWithoutOutage()) {
            clearExplanation();
            if (explanation == null
                    && reservations.stream().anyMatch(ReservationView::resourcesChanged)) {
                explanation = "Other resources took the place of some that could not serve.";
            }
        }
        return this;
    }

    private boolean runsWithoutOutage() {
        return (status == LeaseStatus.ACTIVE || status == LeaseStatus.STARTING)
                && reservations.stream().noneMatch(r -> r.down() != null);
    }

    /** Ends the error of a lease whose last failed reservation is adjusted again. */
    LeaseViewBuilder endErrorIfRecovered() {
        if (status == LeaseStatus.ERROR && !hasReservationIn(ReservationView.Status.ERROR)) {
            status =
                    hasReservationIn(ReservationView.Status.PENDING)
                            ? LeaseStatus.STARTING
                            : LeaseStatus.ACTIVE;
            explanation = "Some of its resources are still down in the cloud.";
        }
        return clearExplanationIfComplete();
    }

    private boolean hasReservationIn(ReservationView.Status wanted) {
        return reservations.stream().anyMatch(r -> r.status() == wanted);
    }

    LeaseView view() {
        return view(at);
    }

    /** Returns the view after an event that does not change the lease. */
    LeaseView viewOfUnchanged() {
        return view(before.updatedAt());
    }

    private LeaseView view(@Nullable Instant updatedAt) {
        return new LeaseView(
                before.id(),
                before.projectId(),
                before.userId(),
                name,
                status,
                period,
                beforeEnd,
                explanation,
                reservations,
                scheduledEvents,
                before.createdAt(),
                updatedAt,
                before.version() + 1,
                before.retries(),
                before.onFailure());
    }

    private int indexOf(ReservationId id) {
        for (int i = 0; i < reservations.size(); i++) {
            if (reservations.get(i).id().equals(id)) {
                return i;
            }
        }
        throw new IllegalStateException("lease " + before.id() + " has no reservation " + id);
    }
}
