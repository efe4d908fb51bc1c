package org.leasehold.resource.simulator.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.cloud.SimulatedCloudContract;
import org.leasehold.resource.stack.StackComponent;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The stacks of a simulated cloud, and the rules for requests of stacks. */
abstract class SimulatedStackRequests extends SimulatedCloudContract {

    private static final String POOL = "7c1d0e5b-4f38-4a9d-b2e6-83c9d17f8a05";
    static final ProjectId OTHERS = new ProjectId("others");
    private static final String SERVER = "OS::Nova::Server";
    private static final String VOLUME = "OS::Cinder::Volume";
    static final Map<String, Object> DISK =
            Map.of("type", VOLUME, "properties", Map.of("size", 10, "volume_type", "gold"));

    final ReservationId reservation = new ReservationId(UUID.randomUUID());

    SimulatedStackRequests() {
        super(new SimulatedStacksProvider());
    }

    @Override
    protected List<String> resourceNames() {
        return List.of(
                POOL,
                "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01",
                "4e9f6a1d-3b27-4c8e-a1f5-92d8c06b7e03");
    }

    @Override
    protected String unknownName() {
        return "00000000-3b27-4c8e-a1f5-92d8c06b7e03";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return wish(Map.of("disk", DISK));
    }

    @Override
    protected boolean adjustsThings() {
        return false;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("on_end", "suspend");
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(1, Map.of("FLOATING_IP", 1L)));
    }

    static Map<String, @Nullable Object> wish(Map<String, ?> resources) {
        return Map.of("template", template(resources));
    }

    static Map<String, Object> template(Map<String, ?> resources) {
        return Map.of(
                "heat_template_version",
                "2018-08-31",
                "parameters",
                Map.of("count", Map.of("type", "number", "default", 2)),
                "resources",
                resources);
    }

    static Map<String, Object> server(String flavor) {
        return Map.of("type", SERVER, "properties", Map.of("flavor", flavor, "image", "cirros"));
    }

    private Completion complete(Map<String, @Nullable Object> wish) {
        return plugin().requestCompleter()
                .orElseThrow()
                .complete(wish, Map.of(), new RequestCompleter.Asker(project(), null, "req-1"));
    }

    private List<StackComponent> parts(Map<String, @Nullable Object> wish) {
        return StackPlanning.parts(((Completion.Complete) complete(wish)).parameters());
    }

    @Test
    void a_pool_is_found_with_the_number_of_addresses() {
        Discovery.Found found = (Discovery.Found) plugin().acting().discover(POOL);
        assertThat(found.attributes()).isEqualTo(Map.of("network_id", POOL, "FLOATING_IP", 4L));
    }

    @Test
    void the_preview_of_a_template_expands_groups_and_parameters() {
        Map<String, Object> group =
                Map.of(
                        "type",
                        "OS::Heat::ResourceGroup",
                        "properties",
                        Map.of(
                                "count",
                                Map.of("get_param", "count"),
                                "resource_def",
                                server("m1.small")));
        Map<String, @Nullable Object> wish = new HashMap<>(wish(Map.of("web", group)));

        assertThat(parts(wish))
                .containsExactly(
                        StackComponent.server(
                                "web.0", SERVER, new ComputeCapacity("", 1, 2048, 20)),
                        StackComponent.server(
                                "web.1", SERVER, new ComputeCapacity("", 1, 2048, 20)));
        wish.put("parameters", Map.of("count", 1));
        assertThat(parts(wish)).hasSize(1);
        assertThat(
                        parts(
                                Map.of(
                                        "template",
                                        """
                                        resources:
                                          disk:
                                            type: OS::Cinder::Volume
                                            properties: {size: 10, volume_type: gold}
                                        """)))
                .containsExactly(StackComponent.volume("disk", VOLUME, "gold", 10));
        assertThat(parts(wish(Map.of("disk", DISK))))
                .containsExactly(StackComponent.volume("disk", VOLUME, "gold", 10));
        assertThat(
                        parts(
                                wish(
                                        Map.of(
                                                "ip",
                                                Map.of(
                                                        "type",
                                                        "OS::Neutron::FloatingIP",
                                                        "properties",
                                                        Map.of("floating_network", POOL))))))
                .containsExactly(StackComponent.floatingIp("ip", "OS::Neutron::FloatingIP", POOL));
    }

    @Test
    void a_template_with_an_unknown_flavor_or_type_is_refused_with_the_reason() {
        assertThat(complete(wish(Map.of("web", server("m1.none")))))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused ->
                                assertThat(refused.message())
                                        .contains("there is no flavor m1.none"));
        assertThat(complete(wish(Map.of("web", Map.of("type", "OS::Trove::Instance")))))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused -> assertThat(refused.message()).contains("OS::Trove::Instance"));
        assertThat(complete(Map.of("template", "no template")))
                .isInstanceOf(Completion.Refused.class);

        cloud().addBehaviorRule(
                        BehaviorRule.failing("preview_stack", InjectedFault.TIME_OUT_BEFORE));
        assertThat(complete(parameters())).isInstanceOf(Completion.Unknown.class);
    }

    @Test
    void a_template_with_too_many_resources_is_refused() {
        Map<String, Object> group = Map.of("type", "OS::Heat::None");
        for (int depth = 0; depth < 3; depth++) {
            group =
                    Map.of(
                            "type",
                            "OS::Heat::ResourceGroup",
                            "properties",
                            Map.of("count", 1000, "resource_def", group));
        }

        assertThat(complete(wish(Map.of("all", group))))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused -> assertThat(refused.message()).contains("Maximum resources"));
    }

    @Test
    void a_request_can_name_only_a_stack_of_the_project() {
        UUID own = cloud().createStack("own", project(), template(Map.of("disk", DISK)));
        UUID theirs = cloud().createStack("theirs", OTHERS, template(Map.of("disk", DISK)));

        assertThat(parts(Map.of("stack_id", own.toString())))
                .containsExactly(StackComponent.volume("disk", VOLUME, "gold", 10));
        assertThat(complete(Map.of("stack_id", theirs.toString())))
                .isInstanceOf(Completion.NotFound.class);
        assertThat(complete(Map.of("stack_id", UUID.randomUUID().toString())))
                .isInstanceOf(Completion.NotFound.class);
    }

    /** Returns an assignment of a planned request, without parts, as an end needs none. */
    Assignment of(Map<String, @Nullable Object> wish) {
        return of(wish, _ -> Optional.empty());
    }

    Assignment of(Map<String, @Nullable Object> wish, Acting.Others others) {
        Map<String, @Nullable Object> complete = new HashMap<>(wish);
        complete.put("stack", Map.of("name", "", "parts", List.of(), "promised", List.of()));
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                project(),
                new UserId("u1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) plugin().planning().plan(complete)).parameters(),
                List.of(held(new Allocation(new ResourceId(1), POOL, Map.of()))),
                () -> true,
                others,
                null);
    }
}
