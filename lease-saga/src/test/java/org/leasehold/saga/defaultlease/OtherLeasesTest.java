package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.defaultlease.FakeServers.id;
import static org.leasehold.saga.defaultlease.FakeServers.server;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.leasetag.OpenLeaseTags;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Tests servers that have another lease, alone or in a stack, or a lease tag; or lost theirs. */
class OtherLeasesTest extends DefaultLeaseFixture {

    private static final String WEB = id(1);

    @Test
    void a_lease_between_the_listing_and_the_command_prevents_a_second_one() {
        cloud.put(server(WEB));
        AtomicReference<LeaseId> own = new AtomicReference<>();
        cloud.beforeRequest(() -> own.set(engine.leaseServer(WEB)));

        poll();

        assertThat(engine.requests()).isEmpty();
        assertThat(row(WEB).reason()).isEqualTo("The lease %s has the server", own.get());
        LeaseId claimed = row(WEB).lease();
        cloud.beforeRequest(() -> {});
        step(Duration.ofDays(1));
        poll();
        assertThat(engine.requests()).isEmpty();

        engine.end(own.get());
        poll();

        assertThat(engine.requests())
                .extracting(CreateLease::leaseId)
                .as("a late node may still send the first request")
                .containsExactly(claimed);
    }

    @Test
    void a_lease_of_another_server_prevents_nothing() {
        cloud.put(server(WEB));
        cloud.beforeRequest(() -> engine.leaseServer(id(2)));

        poll();

        assertThat(engine.requests()).hasSize(1);
    }

    @Test
    void a_server_of_a_leased_stack_gets_a_lease_after_that_of_the_stack() {
        cloud.put(server(WEB));
        cloud.put(server(id(2)));
        cloud.stacks().put(WEB);
        LeaseId stack = engine.leaseStack();

        poll();
        assertThat(engine.requests())
                .extracting(CreateLease::name)
                .containsExactly("default-" + id(2));
        engine.end(stack);
        poll();

        assertThat(engine.requests())
                .extracting(CreateLease::name)
                .containsExactly("default-" + id(2), "default-" + WEB);
    }

    @Test
    void servers_wait_while_those_of_a_leased_stack_are_unknown() {
        cloud.put(server(WEB));
        engine.leaseStack();
        cloud.stacks().setAway(true);
        poll();
        assertThat(engine.requests()).isEmpty();

        cloud.stacks().setAway(false);
        poll();

        assertThat(engine.requests()).hasSize(1);
    }

    @Test
    void a_stack_that_is_leased_before_the_command_prevents_it() {
        cloud.put(server(WEB));
        cloud.stacks().put(WEB);
        cloud.beforeRequest(() -> engine.leaseStack());

        poll();

        assertThat(engine.requests()).isEmpty();
        assertThat(row(WEB).reason()).isEqualTo("The project has leased a stack meanwhile");
    }

    @Test
    void a_server_with_a_granted_tag_gets_a_lease_after_the_end_and_an_unshelving() {
        Map<String, String> tag = Map.of("lease_params", "{\"end\": \"2031-01-01 00:00\"}");
        cloud.put(server(WEB, tag, null, State.READY, null));
        poll();
        assertThat(engine.requests()).as("the tag has no answer yet").isEmpty();
        LeaseId granted = engine.leaseServer(WEB);
        storeGrant(tag);
        poll();
        assertThat(engine.requests()).isEmpty();
        engine.end(granted);
        cloud.put(server(WEB, tag, null, State.SHELVED, null));
        poll();
        assertThat(engine.requests()).isEmpty();

        cloud.put(server(WEB, tag, null, State.READY, null));
        poll();

        assertThat(engine.requests())
                .extracting(CreateLease::name)
                .containsExactly("default-" + WEB);
    }

    @Test
    void a_server_that_was_removed_from_the_default_lease_gets_another_one() {
        cloud.put(server(WEB));
        poll();
        CreateLease first = engine.requests().getFirst();
        ReservationWish wish = first.reservations().getFirst();
        ReservationView volume = Samples.active(RESERVATION, ResourceKind.VOLUME, Map.of(), now());

        engine.exchange(first.leaseId(), removing(wish), volume);
        poll();
        poll();
        assertThat(engine.requests()).as("the cloud takes the server back").hasSize(1);
        engine.exchange(first.leaseId(), volume);
        poll();
        assertThat(engine.requests()).as("the listing may be older than the removal").hasSize(1);
        poll();

        assertThat(engine.requests())
                .extracting(CreateLease::name)
                .containsExactly("default-" + WEB, "default-" + WEB);
        assertThat(engine.requests().getLast().leaseId()).isNotEqualTo(first.leaseId());
    }

    private ReservationView removing(ReservationWish wish) {
        return new ReservationView(
                wish.id(),
                wish.kind(),
                ReservationView.Status.REMOVING,
                wish.parameters(),
                List.of(),
                null,
                false,
                false,
                null,
                now(),
                null);
    }

    private void storeGrant(Map<String, String> tag) {
        var now = NOON.atOffset(ZoneOffset.UTC);
        jdbc.sql(
                        """
                        INSERT INTO petition (petition_id, begun_at, seen_at, answered_at)
                        VALUES (?, ?, ?, ?)
                        """)
                .params(OpenLeaseTags.deriveId(cloud.kind(), WEB, tag), now, now, now)
                .update();
    }
}
