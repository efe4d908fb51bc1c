package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.resource.Acting.Assignment;

/** Tests which hosts are in no aggregate in which they should be. */
class StrayHostsTest extends LostHostsFixture {

    @Test
    void a_host_removed_from_the_freepool_is_a_stray_until_it_is_enrolled() {
        started(1);
        nova.group("freepool").hosts.removeAll(services(2));

        assertThat(strays()).containsExactly(name(2));
        assertThat(plugin.acting().enrol(new ResourceId(2), name(2))).isEqualTo(DONE);

        assertThat(strays()).isEmpty();
    }

    @Test
    void hosts_outside_all_aggregates_are_strays_after_the_freepool_is_deleted() {
        Assignment assignment = started(1);
        nova.forgetGroup("freepool");

        assertThat(strays()).containsExactly(name(2), name(3), name(4));
        nova.forgetGroup(assignment.reservation().toString());
        assertThat(strays()).containsExactly(name(1), name(2), name(3), name(4));
    }

    @Test
    void hosts_in_another_zone_and_hosts_unknown_to_nova_are_not_strays() {
        nova.forgetGroup("freepool");
        nova.group("repair", "repair", name(1));
        nova.forget(name(2));

        assertThat(strays()).containsExactly(name(3), name(4));
    }

    @Test
    void a_host_of_a_deleted_aggregate_is_pooled_once_it_is_in_the_freepool() {
        Assignment assignment = started(1, 2);
        assertThat(look().pooled()).containsExactly(name(3), name(4));

        nova.forgetGroup(assignment.reservation().toString());
        nova.group("freepool").hosts.addAll(services(2));

        assertThat(look().pooled()).containsExactly(name(2), name(3), name(4));
        assertThat(strays()).containsExactly(name(1));
    }
}
