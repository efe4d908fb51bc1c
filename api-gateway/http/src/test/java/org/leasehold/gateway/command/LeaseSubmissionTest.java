package org.leasehold.gateway.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.LeaseTrusts;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;
import org.springframework.mock.web.MockHttpServletRequest;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

class LeaseSubmissionTest {

    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final TrustId TRUST = new TrustId("trust-1");
    private static final Outcome<LeaseRejection> ACCEPTED = new Outcome.Accepted<>(1);

    private final List<String> done = new ArrayList<>();
    private final Kept kept = new Kept();
    private @Nullable Outcome<LeaseRejection> outcome = ACCEPTED;
    private Trusts.Entrusting answer = new Trusts.Entrusting.Entrusted(TRUST);

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

    private Outcome<LeaseRejection> create(@Nullable Boolean affinity, @Nullable String token) {
        return creation().create(lease(affinity), context(), request(token));
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
                1);
    }

    private LeaseSubmission creation() {
        return new LeaseSubmission(new Accepting(), new Instances(), kept, new Keystone(), CLOCK);
    }

    private static CommandContext context() {
        return CommandContext.ofEngine(NOW, "req-1", null);
    }

    private static MockHttpServletRequest request(@Nullable String token) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        if (token != null) {
            request.addHeader("X-Auth-Token", token);
        }
        return request;
    }

    private static CreateLease lease(@Nullable Boolean affinity) {
        return new CreateLease(
                LEASE,
                new ProjectId("p1"),
                new UserId("u1"),
                "mine",
                NOW,
                NOW.plusSeconds(3600),
                null,
                List.of(wish(affinity)));
    }

    // The compiler ignores that values of parameters may be null.
    @SuppressWarnings("NullAway")
    private static ReservationWish wish(@Nullable Boolean affinity) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("vcpus", 1);
        parameters.put("memory_mb", 512);
        parameters.put("disk_gb", 1);
        parameters.put("amount", 2);
        parameters.put("affinity", affinity);
        parameters.put("resource_properties", "");
        return new ReservationWish(
                new ReservationId(new UUID(0, 2)),
                new ResourceKind("virtual:instance"),
                parameters);
    }

    private final class Kept implements LeaseTrusts {

        private final Map<LeaseId, TrustId> trusts = new HashMap<>();
        private boolean away;
        private boolean forgetful;
        private boolean expectedByAnother;

        @Override
        public boolean announce(LeaseId lease, Instant at) {
            if (trusts.containsKey(lease) || expectedByAnother) {
                expectedByAnother = false;
                return false;
            }
            done.add("expected");
            return true;
        }

        @Override
        public boolean store(LeaseId lease, TrustId trust) {
            if (away) {
                throw new IllegalStateException("the database is away");
            }
            if (!forgetful) {
                done.add("kept");
                trusts.put(lease, trust);
            }
            return !forgetful;
        }

        @Override
        public void cancel(LeaseId lease) {
            done.add("forgotten");
        }
    }

    private final class Keystone implements Trusts {

        @Override
        public Given list() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Entrusting createTrust(
                UserId user, ProjectId project, String token, boolean passedOn) {
            done.add("entrusted by " + token + (passedOn ? " to be passed on" : ""));
            return answer;
        }

        @Override
        public Optional<Fault> revoke(TrustId trust) {
            done.add("revoked " + trust.value());
            return Optional.empty();
        }
    }

    private final class Accepting implements Commands {

        @Override
        public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
            done.add("sent");
            if (outcome == null) {
                throw new IllegalStateException("the database is away");
            }
            return outcome;
        }

        @Override
        public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void send(PropertyVisibility command, CommandContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void send(UseObserved command, CommandContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Rehearsal rehearse(CreateLease command, CommandContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResourceId nextResourceId() {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Instances implements Plugins, ResourcePlugin {

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return Optional.of(this);
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(List.of("virtual:instance"));
        }

        @Override
        public ResourceKind kind() {
            return new ResourceKind("virtual:instance");
        }

        @Override
        public Planning planning() {
            return new InstancePlanning();
        }

        @Override
        public Acting acting() {
            throw new UnsupportedOperationException();
        }
    }
}
