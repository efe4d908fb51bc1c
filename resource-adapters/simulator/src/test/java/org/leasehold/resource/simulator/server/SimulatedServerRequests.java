package org.leasehold.resource.simulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.DefaultLeaseSource.Listing;
import org.leasehold.resource.DefaultLeaseSource.Presence;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.cloud.SimulatedCloudContract;
import org.leasehold.resource.simulator.server.SimulatedServer.State;
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

/** The servers of a simulated cloud, and the rules for requests that name them. */
abstract class SimulatedServerRequests extends SimulatedCloudContract {

    static final ProjectId OTHERS = new ProjectId("others");
    private static final ComputeCapacity SMALL = new ComputeCapacity("nova", 2, 4096, 20);

    final ReservationId reservation = new ReservationId(UUID.randomUUID());
    final Map<ReservationId, Map<String, @Nullable Object>> others = new HashMap<>();
    UUID server;

    SimulatedServerRequests() {
        super(new SimulatedServersProvider());
    }

    @BeforeEach
    void createServer() {
        server = create(State.ACTIVE);
    }

    UUID create(State state) {
        return cloud().createServer("web", project(), SMALL, state);
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("nova", "east", "west");
    }

    @Override
    protected String unknownName() {
        return "north";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return wish(server);
    }

    @Override
    protected Map<String, @Nullable Object> furtherParameters() {
        return wish(create(State.SHELVED_OFFLOADED));
    }

    @Override
    protected boolean adjustsThings() {
        return false;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("on_end", "stop");
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(1, Map.of("VCPU", 2L, "MEMORY_MB", 4096L, "DISK_GB", 20L)));
    }

    @Test
    void the_capacity_of_a_zone_does_not_depend_on_running_servers() {
        Discovery.Found found = (Discovery.Found) plugin().acting().discover("nova");
        assertThat(found.attributes())
                .isEqualTo(new ComputeCapacity("nova", 64, 262_144, 4_000).attributes());
    }

    @Test
    void a_request_can_name_only_a_server_of_the_project() {
        assertThat(completion(cloud().createServer("web", OTHERS, SMALL, State.ACTIVE)))
                .isInstanceOf(Completion.NotFound.class);
        assertThat(completion(UUID.randomUUID())).isInstanceOf(Completion.NotFound.class);

        cloud().addBehaviorRule(BehaviorRule.failing("find_server", InjectedFault.TIME_OUT_BEFORE));
        assertThat(completion(server)).isInstanceOf(Completion.Unknown.class);
    }

    @Test
    void a_lease_tag_on_a_server_requests_a_lease_and_shows_errors() {
        LeaseTagSource tagSource = plugin().leaseTagSource().orElseThrow();
        UUID silent = create(State.ACTIVE);
        cloud().setMetadata(silent, new UserId("ada"), Map.of("role", "web"));
        cloud().setMetadata(server, new UserId("ada"), Map.of("lease_id", "l1", "role", "web"));

        LeaseTaggedObject object = only(tagSource);
        assertThat(object)
                .isEqualTo(
                        new LeaseTaggedObject(
                                server.toString(),
                                project(),
                                new UserId("ada"),
                                "web",
                                Map.of("server_id", server.toString()),
                                Map.of("lease_id", "l1")));
        tagSource.writeError(object, "There is no lease l1");
        assertThat(only(tagSource).error()).isEqualTo("There is no lease l1");
        assertThat(cloud().metadata(server)).containsEntry("role", "web");
        tagSource.writeError(object, null);
        assertThat(only(tagSource).error()).isNull();

        cloud().setServerState(server, State.SHELVED_OFFLOADED);
        tagSource.writeError(object, "too late");
        assertThat(only(tagSource).error()).isNull();
        cloud().addBehaviorRule(BehaviorRule.failing("petitions", InjectedFault.TIME_OUT_BEFORE));
        assertThat(tagSource.findTaggedObjects()).isInstanceOf(LeaseTagSource.Seen.Unknown.class);
    }

    @Test
    void the_servers_of_all_projects_can_get_default_leases() {
        DefaultLeaseSource source = plugin().defaultLeaseSource().orElseThrow();
        UUID theirs = cloud().createServer("db", OTHERS, SMALL, State.SHELVED_OFFLOADED);
        cloud().setMetadata(server, new UserId("ada"), Map.of("role", "web"));

        assertThat(((Listing.All) source.findLeasableObjects()).objects())
                .containsExactlyInAnyOrder(
                        new LeasableObject(
                                ResourceKind.SERVER,
                                server.toString(),
                                project(),
                                new UserId("ada"),
                                "2/4096/20",
                                Map.of("role", "web"),
                                null,
                                LeasableObject.State.READY,
                                null),
                        new LeasableObject(
                                ResourceKind.SERVER,
                                theirs.toString(),
                                OTHERS,
                                new UserId("others"),
                                "2/4096/20",
                                Map.of(),
                                null,
                                LeasableObject.State.SHELVED,
                                null));
        cloud().addBehaviorRule(
                        BehaviorRule.failing("default_leases", InjectedFault.TIME_OUT_BEFORE));
        assertThat(source.findLeasableObjects()).isInstanceOf(Listing.Unknown.class);
    }

    @Test
    void a_check_finds_only_existing_servers_of_the_project() {
        DefaultLeaseSource source = plugin().defaultLeaseSource().orElseThrow();
        String id = server.toString();
        assertThat(source.check(id, project())).isEqualTo(Presence.PRESENT);
        assertThat(source.check(id, OTHERS)).isEqualTo(Presence.DELETED);
        cloud().addBehaviorRule(BehaviorRule.failing("find_server", InjectedFault.TIME_OUT_BEFORE));
        assertThat(source.check(id, project())).isEqualTo(Presence.UNKNOWN);

        cloud().clearBehaviorRules();
        cloud().deleteServer(server);
        assertThat(source.check(id, project())).isEqualTo(Presence.DELETED);
    }

    private static LeaseTaggedObject only(LeaseTagSource tagSource) {
        List<LeaseTaggedObject> all =
                ((LeaseTagSource.Seen.All) tagSource.findTaggedObjects()).objects();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    void a_shelved_server_has_no_zone_and_starts_in_the_reserved_zone() {
        UUID elsewhere =
                cloud().createServer(
                                "web",
                                project(),
                                new ComputeCapacity("east", 2, 4096, 20),
                                State.SHELVED_OFFLOADED);
        assertThat(((Completion.Complete) completion(elsewhere)).parameters())
                .containsEntry("server", new ComputeCapacity("", 2, 4096, 20).attributes());

        assertDone(plugin().acting().onStart(of(reservation, wish(elsewhere))));

        assertThat(now(elsewhere).room()).isEqualTo(SMALL);
    }

    static Map<String, @Nullable Object> wish(UUID id) {
        return Map.of("server_id", id.toString());
    }

    static Map<String, @Nullable Object> wish(UUID id, String name, String word) {
        return Map.of("server_id", id.toString(), name, word);
    }

    private Completion completion(UUID id) {
        return plugin().requestCompleter()
                .orElseThrow()
                .complete(wish(id), Map.of(), new RequestCompleter.Asker(project(), null, "req-1"));
    }

    Assignment of(ReservationId holder, Map<String, @Nullable Object> wish) {
        Map<String, @Nullable Object> complete = new HashMap<>(wish);
        complete.put("server", SMALL.attributes());
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                holder,
                project(),
                new UserId("u1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) plugin().planning().plan(complete)).parameters(),
                List.of(held(new Allocation(new ResourceId(1), "nova", Map.of()))),
                () -> true,
                other -> Optional.ofNullable(others.get(other)),
                null);
    }

    SimulatedServer now(UUID id) {
        return cloud().zoneServers().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    static void assertFailed(Result result, Fault.Kind kind) {
        assertThat(((Result.Failed) result).fault().kind()).isEqualTo(kind);
    }
}
