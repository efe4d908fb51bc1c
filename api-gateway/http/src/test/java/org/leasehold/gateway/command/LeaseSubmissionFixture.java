package org.leasehold.gateway.command;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.LeaseTrusts;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UseObserved;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.vocabulary.LeaseId;
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
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/** The doubles behind a submission, which record what it does in order. */
abstract class LeaseSubmissionFixture {

    static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    static final TrustId TRUST = new TrustId("trust-1");
    static final Outcome<LeaseRejection> ACCEPTED = new Outcome.Accepted<>(1);

    final List<String> done = new ArrayList<>();
    final Kept kept = new Kept();
    @Nullable Outcome<LeaseRejection> outcome = ACCEPTED;
    Trusts.Entrusting answer = new Trusts.Entrusting.Entrusted(TRUST);

    Outcome<LeaseRejection> create(@Nullable Boolean affinity, @Nullable String token) {
        return creation().create(lease(affinity), context(), request(token));
    }

    LeaseSubmission creation() {
        return new LeaseSubmission(new Accepting(), new Instances(), kept, new Keystone(), CLOCK);
    }

    static CommandContext context() {
        return CommandContext.ofEngine(NOW, "req-1", null);
    }

    static MockHttpServletRequest request(@Nullable String token) {
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
                List.of(wish(affinity)),
                null,
                null);
    }

    // The compiler ignores that values of parameters may be null.
    @SuppressWarnings("NullAway")
    static ReservationWish wish(@Nullable Boolean affinity) {
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

    final class Kept implements LeaseTrusts {

        final Map<LeaseId, TrustId> trusts = new HashMap<>();
        boolean away;
        boolean forgetful;
        boolean expectedByAnother;

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
