package org.leasehold.gateway.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.lease.Fault;
import org.leasehold.resource.identity.Trusts;

import java.util.List;

/** The trust of a new lease. */
class LeaseSubmissionTest extends LeaseSubmissionFixture {

    @Test
    void an_accepted_lease_that_needs_a_trust_stores_the_trust() {
        assertThat(create(false, "token")).isEqualTo(ACCEPTED);

        assertThat(done).containsExactly("expected", "sent", "entrusted by token", "kept");
        assertThat(kept.trusts).containsEntry(LEASE, TRUST);
    }

    @Test
    void a_refused_lease_gets_no_trust() {
        outcome = new Outcome.Refused<>(List.of(), 1);

        assertThat(create(false, "token")).isEqualTo(outcome);

        assertThat(done).containsExactly("expected", "sent", "forgotten");
    }

    @Test
    void a_failed_creation_gets_no_trust() {
        outcome = null;

        assertThatThrownBy(() -> create(false, "token")).isInstanceOf(IllegalStateException.class);

        assertThat(done).containsExactly("expected", "sent", "forgotten");
    }

    @Test
    void a_failed_trust_creation_does_not_fail_the_lease() {
        answer = new Trusts.Entrusting.Failed(new Fault(Fault.Kind.DENIED, "not with this token"));

        assertThat(create(false, "token")).isEqualTo(ACCEPTED);

        assertThat(done).containsExactly("expected", "sent", "entrusted by token", "forgotten");
    }

    @Test
    void a_trust_that_arrives_too_late_is_revoked() {
        kept.forgetful = true;

        assertThat(create(false, "token")).isEqualTo(ACCEPTED);

        assertThat(done)
                .containsExactly("expected", "sent", "entrusted by token", "revoked trust-1");
    }

    @Test
    void a_failure_to_store_the_trust_does_not_fail_the_lease() {
        kept.away = true;

        assertThat(create(false, "token")).isEqualTo(ACCEPTED);

        assertThat(done)
                .containsExactly("expected", "sent", "entrusted by token", "revoked trust-1");
    }

    @Test
    void a_trust_is_requested_only_with_a_need_and_a_token() {
        create(null, "token");
        create(false, null);

        assertThat(done).containsExactly("sent", "sent");
    }

    @Test
    void a_repeated_lease_creation_requests_no_second_trust() {
        create(false, "token");
        done.clear();

        create(false, "token");

        assertThat(done).containsExactly("sent");
    }
}
