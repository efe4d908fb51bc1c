package org.leasehold.resource.simulator.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.simulator.BehaviorRuleTable;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.resource.simulator.SimulatedHost.Server;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The simulated cloud without its database, for a single thread and any number of nodes. */
public final class InMemoryCloud {

    /** The name of the action before a start, and of its effect. */
    public static final String PREPARE = "prepare";

    private final Clock clock;
    private final Consumer<Effect> log;
    private final Map<String, SimulatedHost> hosts = new LinkedHashMap<>();

    /** Hosts by aggregate; the value says whether the aggregate is a zone. */
    private final Map<String, Map<String, Boolean>> aggregates = new TreeMap<>();

    private final Map<String, String> owners = new TreeMap<>();
    private final Map<UUID, Server> servers = new TreeMap<>();
    private final Set<UUID> images = new HashSet<>();
    private Trouble trouble = (_, _) -> Optional.empty();
    private long booted;

    /** A rule that lets operations fail. */
    public interface Trouble {
        Optional<InjectedFault> meet(String operation, @Nullable String host);
    }

    /**
     * Creates a cloud with hosts of which none is enrolled.
     *
     * @param log receives each change when it takes effect
     */
    public InMemoryCloud(int hosts, Clock clock, Consumer<Effect> log) {
        this.clock = clock;
        this.log = log;
        IntStream.rangeClosed(1, hosts)
                .mapToObj(SimulatedHost::ofNumber)
                .forEach(host -> this.hosts.put(host.hypervisorHostname(), host));
        aggregates.put(CloudStore.FREEPOOL, new TreeMap<>());
    }

    public void misbehave(Trouble another) {
        trouble = another;
    }

    public void behaveWell() {
        trouble = (_, _) -> Optional.empty();
    }

    /**
     * Returns the product's plug-in on this cloud; it calls {@code passing} around each change.
     * Unlike others it has work before each start, whose only trace is an effect.
     */
    public ResourcePlugin plugin(Consumer<String> passing) {
        Store store = new Store(passing);
        return new PreparingHostPlugin(
                new SimulatedHosts(store) {
                    @Override
                    public Result prepare(Assignment assignment) {
                        return new SimulatedCloudCall(
                                        store,
                                        PREPARE,
                                        assignment.reservation(),
                                        assignment.fence())
                                .perform(call -> call.step(PREPARE, null, () -> 1));
                    }
                });
    }

    public List<String> freepool() {
        return List.copyOf(members(CloudStore.FREEPOOL).keySet());
    }

    /** Returns the hosts of each reservation that has an aggregate. */
    public Map<String, List<String>> reserved() {
        Map<String, List<String>> reserved = new TreeMap<>();
        aggregates.forEach(
                (name, members) -> {
                    if (!name.equals(CloudStore.FREEPOOL)) {
                        reserved.put(name, List.copyOf(members.keySet()));
                    }
                });
        return reserved;
    }

    public List<Server> servers() {
        return List.copyOf(servers.values());
    }

    /** Boots a server on a reservation, as {@link SimulatedCloud#boot} does. */
    public Optional<Server> boot(String name, ProjectId project, ReservationId reservation) {
        String aggregate = reservation.toString();
        if (!project.value().equals(owners.get(aggregate))) {
            return Optional.empty();
        }
        return members(aggregate).keySet().stream()
                .filter(host -> !members(CloudStore.FREEPOOL).containsKey(host))
                .findFirst()
                .map(host -> boot(name, project, reservation, host));
    }

    private Server boot(String name, ProjectId project, ReservationId reservation, String host) {
        booted++;
        Server server = new Server(new UUID(0, booted), name, project, host, reservation, "ACTIVE");
        servers.put(server.id(), server);
        return server;
    }

    /** Removes a reservation by hand, as an operator does after the engine's last attempt. */
    public void clean(ReservationId reservation) {
        String aggregate = reservation.toString();
        for (String host : List.copyOf(members(aggregate).keySet())) {
            members(CloudStore.FREEPOOL).put(host, false);
            servers.values().removeIf(server -> server.host().equals(host));
        }
        aggregates.remove(aggregate);
        owners.remove(aggregate);
    }

    private Map<String, Boolean> members(String aggregate) {
        return Objects.requireNonNullElseGet(aggregates.get(aggregate), TreeMap::new);
    }

    /** The cloud as one node reaches it. */
    private final class Store implements CloudStore {

        private final Consumer<String> passing;

        Store(Consumer<String> passing) {
            this.passing = passing;
        }

        @Override
        public BehaviorRuleTable.Encounter applyRules(String operation, @Nullable String host) {
            return new BehaviorRuleTable.Encounter(
                    operation, host, Duration.ZERO, trouble.meet(operation, host).orElse(null));
        }

        @Override
        public void change(
                String operation,
                @Nullable ReservationId reservation,
                @Nullable String host,
                Change change) {
            passing.accept("the cloud is about to change");
            if (change.execute() > 0) {
                log.accept(new Effect(clock.instant(), operation, reservation, host));
            }
            passing.accept("the cloud has changed");
        }

        @Override
        public Optional<SimulatedHost> host(String nameOrId) {
            return Optional.ofNullable(hosts.get(nameOrId))
                    .or(
                            () ->
                                    hosts.values().stream()
                                            .filter(h -> Long.toString(h.id()).equals(nameOrId))
                                            .findFirst());
        }

        @Override
        public Map<String, SimulatedHost> hosts() {
            return new TreeMap<>(hosts);
        }

        @Override
        public List<Server> serversOn(String host) {
            return servers.values().stream()
                    .filter(server -> server.host().equals(host))
                    .sorted(Comparator.comparing(Server::name))
                    .toList();
        }

        @Override
        public Map<String, Integer> serversByHost() {
            Map<String, Integer> counts = new TreeMap<>();
            servers.values().forEach(server -> counts.merge(server.host(), 1, Integer::sum));
            return counts;
        }

        @Override
        public boolean hasAggregate(String name) {
            return aggregates.containsKey(name);
        }

        @Override
        public List<String> hostsOf(String aggregate) {
            return List.copyOf(members(aggregate).keySet());
        }

        @Override
        public List<ReservationId> reservations() {
            return aggregates.keySet().stream()
                    .filter(name -> !name.equals(CloudStore.FREEPOOL))
                    .map(ReservationId::of)
                    .toList();
        }

        @Override
        public int createAggregate(ReservationId reservation, ProjectId project) {
            if (aggregates.putIfAbsent(reservation.toString(), new TreeMap<>()) != null) {
                return 0;
            }
            owners.put(reservation.toString(), project.value());
            return 1;
        }

        @Override
        public int deleteAggregate(ReservationId reservation) {
            if (!members(reservation.toString()).isEmpty()) {
                throw new IllegalStateException("the aggregate is not empty: " + reservation);
            }
            owners.remove(reservation.toString());
            return aggregates.remove(reservation.toString()) == null ? 0 : 1;
        }

        @Override
        public int addToAggregate(String aggregate, String host, boolean zoned) {
            Map<String, Boolean> members = aggregates.get(aggregate);
            if (members == null) {
                throw new IllegalStateException("there is no aggregate " + aggregate);
            }
            if (members.containsKey(host)) {
                return 0;
            }
            boolean inOtherZone =
                    aggregates.values().stream().anyMatch(m -> m.getOrDefault(host, false));
            if (zoned && inOtherZone) {
                throw SimulatedCloudException.insufficientResources(
                        host, "is in another availability zone");
            }
            members.put(host, zoned);
            return 1;
        }

        @Override
        public int removeFromAggregate(String aggregate, String host) {
            return members(aggregate).remove(host) == null ? 0 : 1;
        }

        @Override
        public int deleteServer(UUID server) {
            return servers.remove(server) == null ? 0 : 1;
        }

        @Override
        public int moveServer(UUID server, String host) {
            return servers.computeIfPresent(server, (_, old) -> old.onHost(host)) == null ? 0 : 1;
        }

        @Override
        public List<Server> serversWithoutImage(ReservationId reservation) {
            return members(reservation.toString()).keySet().stream()
                    .flatMap(host -> serversOn(host).stream())
                    .filter(server -> !images.contains(server.id()))
                    .toList();
        }

        @Override
        public int createImage(Server server, ReservationId reservation) {
            return images.add(server.id()) ? 1 : 0;
        }

        @Override
        public Optional<Whereabouts> findMemberships(
                String host, @Nullable ReservationId reservation) {
            if (!hosts.containsKey(host)) {
                return Optional.empty();
            }
            String own = Objects.toString(reservation, "");
            @Nullable String otherOwner =
                    aggregates.entrySet().stream()
                            .filter(entry -> entry.getValue().containsKey(host))
                            .map(Map.Entry::getKey)
                            .filter(name -> !name.equals(CloudStore.FREEPOOL))
                            .filter(name -> !name.equals(own))
                            .findFirst()
                            .orElse(null);
            return Optional.of(
                    new Whereabouts(
                            true,
                            members(CloudStore.FREEPOOL).containsKey(host),
                            members(own).containsKey(host),
                            otherOwner));
        }
    }
}
