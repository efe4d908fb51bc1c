package org.leasehold.resource.openstack.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Map;

/** The servers before their reservations start. */
class ServerPreparationTest extends OpenStackServersFixture {

    @Test
    void a_server_is_shelved_with_the_trust_before_the_start() {
        assertDone(acting.prepare(assignment()));
        assertDone(acting.prepare(assignment()));

        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(server.metadata).isEmpty();
        assertThat(nova.changes()).containsExactly("shelve as p1");
    }

    @Test
    void the_engine_shelves_a_server_without_a_trust_or_with_a_lock() {
        assertDone(acting.prepare(assignment(RESERVATION, Map.of(), null)));
        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(nova.changes()).hasSize(1).doesNotContain("shelve as p1");

        server.status = "ACTIVE";
        server.locked = true;
        assertDone(acting.onEnd(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @Test
    void the_engine_shelves_a_server_that_the_user_may_not_shelve() {
        nova.refuseUsers(403);
        assertDone(acting.prepare(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 409, 413, 500, 503})
    void a_nova_error_fails_the_preparation_and_keeps_the_server_active(int status) {
        nova.refuseUsers(status);
        assertThat(acting.prepare(assignment())).isInstanceOf(Result.Failed.class);
        assertThat(server.status).isEqualTo("ACTIVE");
    }

    @Test
    void the_engine_shelves_a_server_when_the_trust_is_gone() {
        nova.keystone().forgetTrusts();
        assertDone(acting.prepare(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @Test
    void a_preparation_does_not_change_a_server_that_is_being_unshelved() {
        server.status = SHELVED;
        server.unshelving(() -> {});

        assertDone(acting.prepare(assignment()));

        assertThat(nova.changes()).isEmpty();
    }

    @Test
    void a_lease_tag_on_a_server_requests_a_lease_and_shows_errors() {
        LeaseTagSource tagSource = plugin.leaseTagSource().orElseThrow();
        nova.server("p1", "ACTIVE").metadata.put("role", "web");
        nova.server("p1", "ERROR").metadata.put("lease_id", "l1");
        nova.server("p1", "BUILD").metadata.put("lease_id", "l1");
        nova.server("p2", SHELVED).metadata.put("lease_params", "{}");
        server.metadata.putAll(Map.of("lease_id", "l1", "role", "web"));

        List<LeaseTaggedObject> all = objects(tagSource);

        assertThat(all)
                .extracting(LeaseTaggedObject::project)
                .containsExactly(new ProjectId("p1"), new ProjectId("p2"));
        LeaseTaggedObject object = all.getFirst();
        assertThat(object)
                .isEqualTo(
                        new LeaseTaggedObject(
                                server.id,
                                new ProjectId("p1"),
                                new UserId("user-of-p1"),
                                "web",
                                Map.of("server_id", server.id),
                                Map.of("lease_id", "l1")));
        tagSource.writeError(object, "There is no lease l1");
        assertThat(objects(tagSource).getFirst().error()).isEqualTo("There is no lease l1");
        tagSource.writeError(object, null);
        tagSource.writeError(object, null);
        assertThat(server.metadata).isEqualTo(Map.of("lease_id", "l1", "role", "web"));

        tagSource.writeError(all.getLast(), "nobody can read that");
        assertThat(objects(tagSource).getLast().error()).isNull();
    }

    private static List<LeaseTaggedObject> objects(LeaseTagSource tagSource) {
        return ((LeaseTagSource.Seen.All) tagSource.findTaggedObjects()).objects();
    }
}
