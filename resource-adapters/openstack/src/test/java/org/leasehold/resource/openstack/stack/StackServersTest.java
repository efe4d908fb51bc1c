package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.ContainedServerSource;
import org.leasehold.resource.ContainedServerSource.Listing;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;

import java.util.Map;
import java.util.Set;

/** Tests the servers that reserved stacks contain. */
class StackServersTest extends OpenStackStacksFixture {

    private static final Map<String, String> RESOURCES =
            Map.of(
                    "web", "s1 OS::Nova::Server",
                    "loadbalancer/0", "s2 OS::Nova::Server",
                    "disk", "v1 OS::Cinder::Volume",
                    "net", "n1 OS::Neutron::Net");

    @Test
    void a_stack_of_the_project_has_the_servers_of_nested_stacks() {
        Stack own = heat.stack("own", PROJECT.value(), RESOURCES);

        assertThat(servers(existing(own, "suspend"))).containsExactlyInAnyOrder("s1", "s2");
    }

    @Test
    void a_stack_of_a_reservation_is_found_by_the_name() {
        assertThat(servers(wish(Map.of()))).as("before the start").isEmpty();
        heat.stack("leasehold-" + reservation, "p2", Map.of("web", "s9 OS::Nova::Server"));
        heat.stack("leasehold-" + reservation, PROJECT.value(), RESOURCES);

        assertThat(servers(wish(Map.of()))).containsExactlyInAnyOrder("s1", "s2");
    }

    @Test
    void a_stack_of_another_project_has_no_servers() {
        Stack theirs = heat.stack("theirs", "p2", RESOURCES);

        assertThat(servers(existing(theirs, "suspend"))).isEmpty();
    }

    @Test
    void a_heat_that_does_not_respond_or_permit_the_query_is_unknown() {
        heat.listsAll(false);
        assertThat(list(wish(Map.of()))).isInstanceOf(Listing.Unknown.class);
        heat.keystone().answer("orchestration", _ -> Said.nothing(503));
        assertThat(list(wish(Map.of()))).isInstanceOf(Listing.Unknown.class);
    }

    private Set<String> servers(Map<String, @Nullable Object> parameters) {
        return ((Listing.All) list(parameters)).servers();
    }

    private Listing list(Map<String, @Nullable Object> parameters) {
        ContainedServerSource source = plugin.containedServerSource().orElseThrow();
        return source.findServers(reservation, PROJECT, parameters);
    }
}
