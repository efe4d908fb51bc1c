package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.compute.FakeGuest;

import java.util.HashMap;
import java.util.Map;

/** Tests images of servers before the end of a lease. */
class HostSnapshotsTest extends HostsFixture {

    @Test
    void an_image_is_made_of_each_server_once() {
        Assignment assignment = snapshotting(assignment("compute-1", "compute-2"));
        acting.onStart(assignment);
        nova.boot("db", PROJECT.value(), "compute-1");
        nova.boot("db", PROJECT.value(), "compute-2");
        nova.boot("broken", PROJECT.value(), "compute-2").status = "ERROR";

        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images())
                .extracting(image -> image.get("name"))
                .containsExactly("reserved_db", "reserved_db");
    }

    @Test
    void a_busy_server_gets_an_image_by_the_retry_and_does_not_block_others() {
        Assignment assignment = snapshotting(assignment("compute-1"));
        acting.onStart(assignment);
        FakeGuest busy = nova.boot("busy", PROJECT.value(), "compute-1");
        busy.busy = true;
        nova.boot("idle", PROJECT.value(), "compute-1");

        assertRetryable(acting.beforeEnd(assignment));
        busy.busy = false;
        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images())
                .extracting(image -> image.get("name"))
                .containsExactly("reserved_idle", "reserved_busy");
    }

    @Test
    void a_retry_waits_for_a_slow_image_and_creates_no_second_one() {
        Assignment assignment = snapshotting(assignment("compute-1"));
        acting.onStart(assignment);
        nova.boot("db", PROJECT.value(), "compute-1").slow = true;

        assertRetryable(
                acting(HostIsolation.FILTER, "30s", FakePollingTime.looks(10))
                        .beforeEnd(assignment));
        nova.finishImages();
        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images()).hasSize(1);
    }

    @Test
    void an_image_is_made_only_on_request() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.boot("db", PROJECT.value(), "compute-1");

        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images()).isEmpty();
    }

    @Test
    void the_operator_sets_the_meaning_of_the_default() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.boot("db", PROJECT.value(), "compute-1");
        ResourcePlugin plugin =
                OpenStackHostsProvider.create(
                        HostIsolation.FILTER,
                        BeforeEndAction.ofSetting("snapshot"),
                        CloudSettings.of(nova.settings()),
                        LONG_WAIT);
        plugins.add(plugin);
        Assignment without =
                assignment(
                        assignment.reservation(),
                        Map.of("before_end", ""),
                        assignment.resources(),
                        assignment.fence());

        assertThat(plugin.acting().beforeEnd(without)).isEqualTo(DONE);
        assertThat(nova.images()).isEmpty();
        assertThat(plugin.acting().beforeEnd(assignment)).isEqualTo(DONE);
        assertThat(nova.images()).hasSize(1);
    }

    @Test
    void an_unknown_meaning_of_the_default_is_rejected() {
        Map<String, String> settings = new HashMap<>(nova.settings());
        settings.put("isolation", "filter");
        settings.put("before-end", "email");

        assertThatThrownBy(() -> new OpenStackHostsProvider().create(settings))
                .hasMessage("the setting before-end is none or snapshot, not email");
    }

    private static Assignment snapshotting(Assignment old) {
        return assignment(
                old.reservation(), Map.of("before_end", "snapshot"), old.resources(), old.fence());
    }
}
