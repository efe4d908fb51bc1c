package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Other;
import org.leasehold.resource.Acting.Others;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Completing.Asker;
import org.leasehold.resource.Completing.Completion;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.SmallCloud.Said;
import org.leasehold.resource.openstack.TimeOfPauses;
import org.leasehold.resource.openstack.stack.StacksOnPaper.Stack;
import org.leasehold.resource.server.Room;
import org.leasehold.resource.stack.Part;
import org.leasehold.resource.stack.StackPlanning;

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
    private static final TrustId TRUST = new TrustId(StacksOnPaper.TRUST);
    private static final Asker ASKER = new Asker(PROJECT, StacksOnPaper.TOKEN, "req-1");
    private static final Map<String, Object> WORD = Map.of("type", "OS::Heat::RandomString");

    private final StacksOnPaper heat = new StacksOnPaper();
    private final ReservationId reservation = new ReservationId(UUID.randomUUID());
    private final ResourcePlugin plugin =
            OpenStackStacksProvider.create(
                    CloudSettings.of(heat.settings()), TimeOfPauses.looks(1_000));
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
        return plugin.completing().orElseThrow().complete(wish, Map.of(), asker);
    }

    private List<Part> parts(Map<String, @Nullable Object> wish) {
        return StackPlanning.parts(((Completion.Complete) complete(wish, ASKER)).parameters());
    }

    @Test
    void what_a_template_makes_is_asked_as_the_user_and_what_it_takes_as_the_engine() {
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
                                                        StacksOnPaper.GROUP,
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
                        Part.server("group.0", "OS::Nova::Server", new Room("", 1, 64, 2)),
                        Part.volume("disk", "OS::Cinder::Volume", "standard", 2),
                        Part.floatingIp("ip", "OS::Neutron::FloatingIP", StacksOnPaper.NETWORK));
        assertThat(heat.keystone().asked("orchestration"))
                .allSatisfy(
                        asked -> {
                            assertThat(asked.headers())
                                    .containsEntry("x-auth-token", StacksOnPaper.TOKEN);
                            assertThat(asked.path()).startsWith("/v1/p1/stacks");
                        });
    }

    @Test
    void without_a_token_nobody_can_ask_and_what_heat_refuses_is_told_in_its_words() {
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
    void only_the_projects_own_stacks_are_there_and_they_take_what_is_in_them() {
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
                        Part.server("web", "OS::Nova::Server", new Room("east", 1, 64, 2)),
                        Part.server(
                                "loadbalancer.0", "OS::Nova::Server", new Room("east", 1, 64, 2)),
                        Part.volume("disk", "OS::Cinder::Volume", "gold", 3),
                        Part.floatingIp("ip", "OS::Neutron::FloatingIP", StacksOnPaper.NETWORK));
        assertThat(complete(Map.of("stack_id", theirs.id), ASKER))
                .isInstanceOf(Completion.NotFound.class);
        Stack strange = heat.stack("strange", "p1", Map.of("db", "d1 OS::Trove::Instance"));
        assertThat(complete(Map.of("stack_id", strange.id), ASKER))
                .isInstanceOf(Completion.Refused.class);
    }

    @Test
    void a_stack_that_is_there_shows_what_it_is_made_of_only_if_types_are_called_as_they_are() {
        Stack hiding = heat.stack("hiding", "p1", Map.of("web", "s1 OS::Heat::None"));
        hiding.registry.put("OS::Heat::None", "OS::Nova::Server");

        assertThat(complete(Map.of("stack_id", hiding.id), ASKER))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused -> assertThat(refused.message()).contains("hiding"));
    }

    @Test
    void a_pool_is_enrolled_with_what_it_has_left() {
        assertThat(((Discovery.Found) acting.discover(StacksOnPaper.NETWORK)).attributes())
                .isEqualTo(Map.of("network_id", StacksOnPaper.NETWORK, "FLOATING_IP", 97L));
    }

    @Test
    void a_start_makes_it_as_the_user_and_tells_what_is_in_it() {
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
    void a_start_is_under_way_for_as_long_as_heat_is_about_it_and_then_done() {
        heat.takeLonger(8_000);
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);

        assertFailed(acting.onStart(assignment), Fault.Kind.UNDERWAY, "CREATE_IN_PROGRESS");
        heat.stacks().getFirst().hurry();
        assertDone(acting.onStart(assignment));

        assertThat(heat.changes()).containsExactly("POST stacks as p1");
    }

    @Test
    void a_server_without_a_zone_is_made_in_the_one_that_is_held_for_it() {
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
    void what_is_to_stay_does_not_stay_of_a_stack_that_fails() {
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
    void without_a_trust_there_is_none() {
        assertFailed(acting.onStart(of(wish(Map.of("word", WORD)), null)), Fault.Kind.DENIED, "");
        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void a_stack_that_failed_half_way_is_deleted_and_made_anew() {
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
    void what_has_its_name_and_is_made_of_something_else_becomes_what_was_asked_for() {
        heat.stack("leasehold-" + reservation, "p1", Map.of("much", "m OS::Nova::Server"));

        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word");
        assertThat(heat.changes()).containsExactly("PUT stacks/leasehold- as p1");
    }

    @Test
    void a_stack_that_is_not_suspended_is_not_resumed_whatever_failed_in_it_before() {
        Stack mine = heat.stack("mine", "p1", Map.of());
        mine.status = "UPDATE_FAILED";

        assertDone(acting.onStart(of(existing(mine, "keep"), TRUST)));

        assertThat(heat.changes()).isEmpty();
    }

    @Test
    void a_change_is_heats_to_make_once_and_again_if_it_fails() {
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
    void a_change_that_heat_does_not_take_leaves_the_stack_and_says_so() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));
        heat.refuseUpdates();

        assertFailed(
                acting.onAdjust(of(wish(Map.of("more", WORD)), TRUST), List.of()),
                Fault.Kind.PERMANENT,
                "goes on as it was");
    }

    @Test
    void a_change_tells_what_is_in_it_then() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        Result changed = acting.onAdjust(of(wish(Map.of("other", WORD)), TRUST), List.of());

        assertThat(((Result.Done) changed).cloudIds())
                .containsEntry("resources", Map.of("other", "other-id"));
    }

    @Test
    void a_stack_of_several_leases_is_the_first_ones_until_that_ends() {
        Stack mine = heat.stack("mine", "p1", Map.of());
        List<Other> others = new ArrayList<>();
        Assignment second =
                of(
                        existing(mine, "delete"),
                        TRUST,
                        new Others() {
                            @Override
                            public Optional<Map<String, @Nullable Object>> wish(
                                    ReservationId holder) {
                                return Optional.empty();
                            }

                            @Override
                            public List<Other> wishing(String parameter, Object value) {
                                return parameter.equals("stack_id") && value.equals(mine.id)
                                        ? others
                                        : List.of();
                            }
                        });
        others.add(new Other(new ReservationId(UUID.randomUUID()), false));

        assertDone(acting.prepare(second));
        assertFailed(acting.onStart(second), Fault.Kind.RETRYABLE, "another lease");
        assertDone(acting.onEnd(second));
        assertThat(mine.status).isEqualTo("CREATE_COMPLETE");

        others.set(0, new Other(new ReservationId(new UUID(-1, -1)), true));
        boolean isSecond = reservation.value().compareTo(new UUID(-1, -1)) > 0;
        assertThat(acting.onStart(second) instanceof Result.Failed).isEqualTo(isSecond);
        others.clear();
        assertDone(acting.onStart(second));
        assertDone(acting.onEnd(second));
        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void a_stack_that_another_reservation_made_is_that_ones_as_long_as_it_holds_anything() {
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
    void a_trust_that_is_gone_is_none() {
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onStart(assignment));
        heat.keystone().forgetTrusts();

        assertDone(acting.onEnd(assignment));

        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void a_new_stack_may_be_left_suspended_and_is_its_projects_then() {
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
    void a_stack_that_is_there_is_suspended_until_its_start_and_again_at_its_end() {
        Stack mine = heat.stack("mine", "p1", Map.of("word", "w OS::Heat::RandomString"));
        Assignment assignment = of(existing(mine, "suspend"), TRUST);

        assertDone(acting.prepare(assignment));
        assertThat(mine.status).isEqualTo("SUSPEND_COMPLETE");
        assertDone(acting.onStart(assignment));
        assertThat(mine.status).isEqualTo("RESUME_COMPLETE");
        assertDone(acting.onAdjust(assignment, List.of()));
        assertDone(acting.onEnd(assignment));
        assertThat(mine.status).isEqualTo("SUSPEND_COMPLETE");
        assertThat(heat.changes())
                .containsExactly(
                        "POST stacks/mine/actions as p1",
                        "POST stacks/mine/actions as p1",
                        "POST stacks/mine/actions as p1");
    }

    @Test
    void a_stack_that_is_there_is_kept_or_deleted_as_was_said() {
        Stack mine = heat.stack("mine", "p1", Map.of());
        assertDone(acting.onEnd(of(existing(mine, "keep"), null)));
        assertThat(mine.status).isEqualTo("CREATE_COMPLETE");

        assertDone(acting.onEnd(of(existing(mine, "delete"), null)));
        assertThat(heat.stacks()).isEmpty();
        assertFailed(
                acting.onStart(of(existing(mine, "delete"), TRUST)),
                Fault.Kind.INSUFFICIENT_RESOURCES,
                mine.id);
        assertDone(acting.prepare(of(existing(mine, "delete"), TRUST)));
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
