package org.leasehold.gateway.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The trust of a changed lease. */
class LeaseChangeSubmissionTest extends LeaseSubmissionFixture {

    @Test
    void an_added_reservation_requests_a_missing_trust() {
        assertThat(add("p1", List.of(wish(false)))).isEqualTo(ACCEPTED);

        assertThat(done).containsExactly("expected", "sent", "entrusted by token", "kept");
    }

    @Test
    void an_added_reservation_uses_the_existing_trust() {
        create(false, "token");
        done.clear();

        add("p1", List.of(wish(false)));

        assertThat(done).containsExactly("sent");
    }

    @Test
    void an_accepted_change_requests_a_trust_after_another_gave_up() {
        kept.expectedByAnother = true;

        add("p1", List.of(wish(false)));

        assertThat(done).containsExactly("sent", "expected", "entrusted by token", "kept");
    }

    @Test
    void a_refused_change_keeps_the_expectation_of_another_request() {
        kept.expectedByAnother = true;
        outcome = new Outcome.Refused<>(List.of(), 1);

        add("p1", List.of(wish(false)));

        assertThat(done).containsExactly("sent");
    }

    @Test
    void a_refused_addition_requests_no_trust() {
        outcome = new Outcome.Refused<>(List.of(), 1);

        add("p1", List.of(wish(false)));

        assertThat(done).containsExactly("expected", "sent", "forgotten");
    }

    @Test
    void a_change_that_needs_a_trust_requests_a_trust() {
        ReservationId present = view().reservations().getFirst().id();
        ReservationChange change = new ReservationChange(present, Map.of("affinity", false));

        change("p1", new ChangeLease(LEASE, null, null, null, null, List.of(change)));

        assertThat(done).containsExactly("expected", "sent", "entrusted by token", "kept");
    }

    @Test
    void changes_without_a_need_or_by_an_operator_request_no_trust() {
        add("p1", List.of());
        add("operations", List.of(wish(false)));

        assertThat(done).containsExactly("sent", "sent");
    }

    private Outcome<LeaseRejection> add(String callersProject, List<ReservationWish> wishes) {
        return change(
                callersProject, new ChangeLease(LEASE, null, null, null, null, List.of(), wishes));
    }

    private Outcome<LeaseRejection> change(String callersProject, ChangeLease change) {
        Caller caller =
                new Caller(
                        new UserId("u2"),
                        "ada",
                        new ProjectId(callersProject),
                        callersProject,
                        Set.of(Role.ADMIN),
                        "keystone");
        return creation().change(change, view(), caller, context(), request("token"));
    }

    /** Returns a lease whose reservation so far needs no trust. */
    private static LeaseView view() {
        ReservationWish wish = wish(null);
        return new LeaseView(
                LEASE,
                new ProjectId("p1"),
                new UserId("u1"),
                "mine",
                LeaseStatus.ACTIVE,
                new LeasePeriod(NOW, NOW.plusSeconds(3600)),
                null,
                null,
                List.of(
                        new ReservationView(
                                wish.id(),
                                wish.kind(),
                                ReservationView.Status.ACTIVE,
                                wish.parameters(),
                                List.of(),
                                null,
                                false,
                                false,
                                null,
                                NOW,
                                null)),
                List.of(),
                NOW,
                null,
                1,
                null,
                null);
    }
}
