package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Other;
import org.leasehold.resource.Acting.Others;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.stack.StackComponent;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The requests to Heat for a lease, and the results of its responses. */
class OpenStackStacksTest {

    private static final ProjectId PROJECT = new ProjectId("p1");
    private static final TrustId TRUST = new TrustId(FakeHeat.TRUST);
    private static final Asker ASKER = new Asker(PROJECT, FakeHeat.TOKEN, "req-1");
    private static final Map<String, Object> WORD = Map.of("type", "OS::Heat::RandomString");

    private final FakeHeat heat = new FakeHeat();
    private final ReservationId reservation = new ReservationId(UUID.randomUUID());
    private final ResourcePlugin plugin =
            OpenStackStacksProvider.create(
                    CloudSettings.of(heat.settings()), FakePollingTime.looks(1_000));
    private final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        heat.close();
    }

    private static Map<String, @Nullable Object> wish(Map<String, ?> resources) {
        return Map.of("template", Map.of("resources", resources));
    }

    private Completion complete(Map<String, @Nullable Object> wish, Asker asker) {
        return plugin.requestCompleter().orElseThrow().complete(wish, Map.of(), asker);
    }

    private List<StackComponent> parts(Map<String, @Nullable Object> wish) {
        return StackPlanning.parts(((Completion.Complete) complete(wish, ASKER)).parameters());
    }

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

    @Test
    void a_pool_is_enrolled_with_the_number_of_free_addresses() {
        assertThat(((Discovery.Found) acting.discover(FakeHeat.NETWORK)).attributes())
                .isEqualTo(Map.of("network_id", FakeHeat.NETWORK, "FLOATING_IP", 97L));
    }

    @Test
    void a_start_creates_the_stack_with_the_trust_and_returns_resource_ids() {
        Result started = acting.onStart(of(wish(Map.of("word", WORD)), TRUST));

        Stack made = heat.stacks().getFirst();
        assertThat(made.project).isEqualTo("p1");
        assertThat(made.name).isEqualTo("leasehold-" + reservation);
        assertThat(started)
                .isEqualTo(
                        new Result.Done(
                                Map.of(
                                        "stack_id",
                                        made.id,
                                        "resources",
                                        Map.of("word", "word-id"))));
        assertThat(heat.changes()).containsExactly("POST stacks as p1");
    }

    @Test
    void a_start_is_underway_until_heat_finishes_the_stack() {
        heat.takeLonger(8_000);
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);

        assertFailed(acting.onStart(assignment), Fault.Kind.UNDERWAY, "CREATE_IN_PROGRESS");
        heat.stacks().getFirst().hurry();
        assertDone(acting.onStart(assignment));

        assertThat(heat.changes()).containsExactly("POST stacks as p1");
    }

    @Test
    void a_server_without_a_zone_is_created_in_the_reserved_zone() {
        Map<String, @Nullable Object> wish =
                new HashMap<>(
                        wish(
                                Map.of(
                                        "web",
                                        Map.of(
                                                "type",
                                                "OS::Nova::Server",
                                                "properties",
                                                Map.of("flavor", "m1.nano")))));
        wish.putAll(((Completion.Complete) complete(wish, ASKER)).parameters());

        assertDone(acting.onStart(of(wish, TRUST)));

        assertThat(
                        heat.templates()
                                .getLast()
                                .at("/resources/web/properties/availability_zone")
                                .asString())
                .isEqualTo("nova");
    }

    @Test
    void a_retain_policy_is_set_only_after_the_stack_is_created() {
        Map<String, Object> kept =
                Map.of(
                        "type",
                        "OS::Heat::RandomString",
                        "metadata",
                        Map.of("leasehold", Map.of("on_end", "keep")));
        Assignment assignment = of(wish(Map.of("word", kept)), TRUST);

        assertDone(acting.onStart(assignment));

        assertThat(heat.changes())
                .containsExactly("POST stacks as p1", "PUT stacks/leasehold- as p1");
        assertThat(heat.templates())
                .extracting(its -> its.at("/resources/word/deletion_policy").asString("none"))
                .containsExactly("none", "Retain");
        assertDone(acting.onStart(assignment));
        assertThat(heat.changes()).hasSize(2);
    }

    @Test
    void a_start_without_a_trust_is_denied_and_creates_no_stack() {
        assertFailed(acting.onStart(of(wish(Map.of("word", WORD)), null)), Fault.Kind.DENIED, "");
        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void a_failed_stack_is_deleted_and_created_again_by_the_retry() {
        heat.failNext("No valid host was found");
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);

        assertFailed(acting.onStart(assignment), Fault.Kind.RETRYABLE, "No valid host was found");
        assertThat(heat.stacks().getFirst().status).isEqualTo("DELETE_IN_PROGRESS");
        assertDone(acting.onStart(assignment));
        assertThat(heat.changes())
                .containsExactly(
                        "POST stacks as p1", "DELETE stacks/leasehold- as p1", "POST stacks as p1");
    }

    @Test
    void a_start_waits_until_heat_has_freed_the_name_of_a_deleted_stack() {
        heat.refuseNames(3);

        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        assertThat(heat.stacks()).hasSize(1);
        assertThat(heat.changes()).hasSize(4).containsOnly("POST stacks as p1");
    }

    @Test
    void a_start_updates_an_existing_stack_of_the_same_name() {
        heat.stack("leasehold-" + reservation, "p1", Map.of("much", "m OS::Nova::Server"));

        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word");
        assertThat(heat.changes()).containsExactly("PUT stacks/leasehold- as p1");
    }

    @Test
    void a_start_does_not_change_a_stack_after_a_failed_update() {
        Stack existingStack = heat.stack("mine", "p1", Map.of());
        existingStack.status = "UPDATE_FAILED";

        assertDone(acting.onStart(of(existing(existingStack, "keep"), TRUST)));

        assertThat(heat.changes()).isEmpty();
    }

    @Test
    void an_adjustment_updates_the_stack_once_and_again_after_a_failure() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));
        Assignment larger = of(wish(Map.of("word", WORD, "more", WORD)), TRUST);

        assertDone(acting.onAdjust(larger, List.of()));
        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word", "more");
        assertDone(acting.onAdjust(larger, List.of()));
        assertThat(heat.changes()).hasSize(2);

        heat.failNext("Quota exceeded");
        Assignment empty = of(wish(Map.of()), TRUST);
        assertFailed(acting.onAdjust(empty, List.of()), Fault.Kind.RETRYABLE, "Quota exceeded");
        assertDone(acting.onAdjust(empty, List.of()));
        assertThat(heat.stacks().getFirst().resources).isEmpty();
    }

    @Test
    void an_adjustment_that_heat_rejects_is_a_permanent_fault() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));
        heat.refuseUpdates();

        assertFailed(
                acting.onAdjust(of(wish(Map.of("more", WORD)), TRUST), List.of()),
                Fault.Kind.PERMANENT,
                "goes on as it was");
    }

    @Test
    void an_adjustment_returns_the_resource_ids_of_the_changed_stack() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        Result changed = acting.onAdjust(of(wish(Map.of("other", WORD)), TRUST), List.of());

        assertThat(((Result.Done) changed).cloudIds())
                .containsEntry("resources", Map.of("other", "other-id"));
    }

    @Test
    void a_second_lease_of_a_stack_waits_until_the_first_one_ends() {
        Stack existingStack = heat.stack("mine", "p1", Map.of());
        List<Other> others = new ArrayList<>();
        Assignment second =
                of(
                        existing(existingStack, "delete"),
                        TRUST,
                        new Others() {
                            @Override
                            public Optional<Map<String, @Nullable Object>> requestOf(
                                    ReservationId holder) {
                                return Optional.empty();
                            }

                            @Override
                            public List<Other> findHolders(String parameter, Object value) {
                                return parameter.equals("stack_id")
                                                && value.equals(existingStack.id)
                                        ? others
                                        : List.of();
                            }
                        });
        others.add(new Other(new ReservationId(UUID.randomUUID()), false));

        assertDone(acting.prepare(second));
        assertFailed(acting.onStart(second), Fault.Kind.RETRYABLE, "another lease");
        assertDone(acting.onEnd(second));
        assertThat(existingStack.status).isEqualTo("CREATE_COMPLETE");

        others.set(0, new Other(new ReservationId(new UUID(-1, -1)), true));
        boolean isSecond = reservation.value().compareTo(new UUID(-1, -1)) > 0;
        assertThat(acting.onStart(second) instanceof Result.Failed).isEqualTo(isSecond);
        others.clear();
        assertDone(acting.onStart(second));
        assertDone(acting.onEnd(second));
        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void a_lease_of_a_stack_waits_for_the_reservation_that_created_it() {
        ReservationId maker = new ReservationId(UUID.randomUUID());
        Stack made = heat.stack("leasehold-" + maker, "p1", Map.of());
        Others holding = holder -> holder.equals(maker) ? Optional.of(Map.of()) : Optional.empty();

        Assignment second = of(existing(made, "suspend"), TRUST, holding);
        assertDone(acting.prepare(second));
        assertFailed(acting.onStart(second), Fault.Kind.RETRYABLE, "another lease");
        assertThat(heat.changes()).isEmpty();
        assertDone(acting.prepare(of(existing(made, "suspend"), TRUST)));
        assertThat(made.status).isEqualTo("SUSPEND_COMPLETE");
    }

    @Test
    void an_end_needs_no_trust_but_the_right_to_list_all_stacks() {
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onStart(assignment));
        Assignment alone = of(wish(Map.of("word", WORD)), null);
        heat.listsAll(false);
        assertFailed(acting.onEnd(alone), Fault.Kind.DENIED, "");

        heat.listsAll(true);
        assertDone(acting.onEnd(alone));

        assertThat(heat.stacks()).isEmpty();
        assertThat(heat.changes()).last().isEqualTo("DELETE stacks/leasehold- as p-service");
    }

    @Test
    void an_end_succeeds_when_the_trust_is_gone() {
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onStart(assignment));
        heat.keystone().forgetTrusts();

        assertDone(acting.onEnd(assignment));

        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void an_end_suspends_a_new_stack_and_removes_it_from_the_reservation() {
        Map<String, @Nullable Object> wish = new HashMap<>(wish(Map.of("word", WORD)));
        wish.put("on_end", "suspend");
        Assignment assignment = of(wish, TRUST);
        assertDone(acting.onStart(assignment));
        assertThat(acting.inspect(reservation)).hasSize(1);

        assertDone(acting.onEnd(assignment));
        assertDone(acting.onEnd(assignment));

        assertThat(heat.stacks().getFirst().status).isEqualTo("SUSPEND_COMPLETE");
        assertThat(acting.inspect(reservation)).isEmpty();
    }

    @Test
    void an_existing_stack_is_suspended_before_the_start_and_at_the_end() {
        Stack existingStack = heat.stack("mine", "p1", Map.of("word", "w OS::Heat::RandomString"));
        Assignment assignment = of(existing(existingStack, "suspend"), TRUST);

        assertDone(acting.prepare(assignment));
        assertThat(existingStack.status).isEqualTo("SUSPEND_COMPLETE");
        assertDone(acting.onStart(assignment));
        assertThat(existingStack.status).isEqualTo("RESUME_COMPLETE");
        assertDone(acting.onAdjust(assignment, List.of()));
        assertDone(acting.onEnd(assignment));
        assertThat(existingStack.status).isEqualTo("SUSPEND_COMPLETE");
        assertThat(heat.changes())
                .containsExactly(
                        "POST stacks/mine/actions as p1",
                        "POST stacks/mine/actions as p1",
                        "POST stacks/mine/actions as p1");
    }

    @Test
    void an_end_keeps_or_deletes_an_existing_stack_as_requested() {
        Stack existingStack = heat.stack("mine", "p1", Map.of());
        assertDone(acting.onEnd(of(existing(existingStack, "keep"), null)));
        assertThat(existingStack.status).isEqualTo("CREATE_COMPLETE");

        assertDone(acting.onEnd(of(existing(existingStack, "delete"), null)));
        assertThat(heat.stacks()).isEmpty();
        assertFailed(
                acting.onStart(of(existing(existingStack, "delete"), TRUST)),
                Fault.Kind.INSUFFICIENT_RESOURCES,
                existingStack.id);
        assertDone(acting.prepare(of(existing(existingStack, "delete"), TRUST)));
    }

    private static Map<String, @Nullable Object> existing(Stack stack, String onEnd) {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("stack_id", stack.id);
        wish.put("on_end", onEnd);
        wish.put("stack", Map.of("name", stack.name, "parts", List.of(), "promised", List.of()));
        return wish;
    }

    private Assignment of(Map<String, @Nullable Object> wish, @Nullable TrustId trust) {
        return of(wish, trust, _ -> Optional.empty());
    }

    private Assignment of(
            Map<String, @Nullable Object> wish, @Nullable TrustId trust, Others others) {
        Map<String, @Nullable Object> complete = new HashMap<>(wish);
        complete.putIfAbsent(
                "stack", Map.of("name", "", "parts", List.of(), "promised", List.of()));
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                PROJECT,
                new UserId("u-of-p1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) plugin.planning().plan(complete)).parameters(),
                List.of(
                        new Allocation(
                                new ResourceId(1), "nova", Map.of("availability_zone", "nova"))),
                () -> true,
                others,
                trust);
    }

    private static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    private static void assertFailed(Result result, Fault.Kind kind, String why) {
        assertThat(result).isInstanceOf(Result.Failed.class);
        assertThat(((Result.Failed) result).fault().kind()).isEqualTo(kind);
        assertThat(((Result.Failed) result).fault().message()).contains(why);
    }
}
