package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.stack.StackComponent;
import org.leasehold.resource.stack.StackPlanning;

import java.util.List;
import java.util.Map;

/** The components of a stack, by which a request is planned. */
class StackComponentsTest extends OpenStackStacksFixture {

    @Test
    void the_components_of_a_template_are_read_with_the_token_of_the_user() {
        Map<String, Object> server =
                Map.of(
                        "type",
                        "OS::Nova::Server",
                        "properties",
                        Map.of("flavor", "m1.nano", "image", "cirros"));
        assertThat(
                        parts(
                                wish(
                                        Map.of(
                                                "group",
                                                Map.of(
                                                        "type",
                                                        FakeHeat.GROUP,
                                                        "properties",
                                                        Map.of("resource_def", server)),
                                                "disk",
                                                Map.of(
                                                        "type",
                                                        "OS::Cinder::Volume",
                                                        "properties",
                                                        Map.of("size", 2)),
                                                "ip",
                                                Map.of(
                                                        "type",
                                                        "OS::Neutron::FloatingIP",
                                                        "properties",
                                                        Map.of("floating_network", "public"))))))
                .containsExactlyInAnyOrder(
                        StackComponent.server(
                                "group.0", "OS::Nova::Server", new ComputeCapacity("", 1, 64, 2)),
                        StackComponent.volume("disk", "OS::Cinder::Volume", "standard", 2),
                        StackComponent.floatingIp(
                                "ip", "OS::Neutron::FloatingIP", FakeHeat.NETWORK));
        assertThat(heat.keystone().asked("orchestration"))
                .allSatisfy(
                        asked -> {
                            assertThat(asked.headers())
                                    .containsEntry("x-auth-token", FakeHeat.TOKEN);
                            assertThat(asked.path()).startsWith("/v1/p1/stacks");
                        });
    }

    private List<StackComponent> parts(Map<String, @Nullable Object> wish) {
        return StackPlanning.parts(((Completion.Complete) complete(wish, ASKER)).parameters());
    }

    @Test
    void a_request_without_a_token_or_with_an_invalid_template_is_refused() {
        assertThat(complete(wish(Map.of("word", WORD)), new Asker(PROJECT, null, "req-1")))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused -> assertThat(refused.message()).contains("a token of Keystone's"));
        assertThat(complete(Map.of("template", "nothing: {}"), ASKER))
                .isEqualTo(new Completion.Refused("template", "The template is invalid"));
        heat.keystone().answer("orchestration", _ -> Said.nothing(503));
        assertThat(complete(wish(Map.of("word", WORD)), ASKER))
                .isInstanceOf(Completion.Unknown.class);
    }

    @Test
    void only_stacks_of_the_project_are_completed_with_components() {
        Stack own =
                heat.stack(
                        "mine",
                        "p1",
                        Map.of(
                                "web", "s1 OS::Nova::Server",
                                "loadbalancer/0", "s2 OS::Nova::Server",
                                "disk", "v1 OS::Cinder::Volume",
                                "ip", "f1 OS::Neutron::FloatingIP",
                                "net", "n1 OS::Neutron::Net"));
        Stack theirs = heat.stack("theirs", "p2", Map.of());

        assertThat(parts(Map.of("stack_id", own.id)))
                .containsExactlyInAnyOrder(
                        StackComponent.server(
                                "web", "OS::Nova::Server", new ComputeCapacity("east", 1, 64, 2)),
                        StackComponent.server(
                                "loadbalancer.0",
                                "OS::Nova::Server",
                                new ComputeCapacity("east", 1, 64, 2)),
                        StackComponent.volume("disk", "OS::Cinder::Volume", "gold", 3),
                        StackComponent.floatingIp(
                                "ip", "OS::Neutron::FloatingIP", FakeHeat.NETWORK));
        assertThat(complete(Map.of("stack_id", theirs.id), ASKER))
                .isInstanceOf(Completion.NotFound.class);
        Stack strange = heat.stack("strange", "p1", Map.of("db", "d1 OS::Trove::Instance"));
        assertThat(complete(Map.of("stack_id", strange.id), ASKER))
                .isInstanceOf(Completion.Refused.class);
    }

    @Test
    void a_stack_with_aliased_resource_types_is_refused() {
        Stack hiding = heat.stack("hiding", "p1", Map.of("web", "s1 OS::Heat::None"));
        hiding.registry.put("OS::Heat::None", "OS::Nova::Server");

        assertThat(complete(Map.of("stack_id", hiding.id), ASKER))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused -> assertThat(refused.message()).contains("hiding"));
    }
}
