package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ServerMoveContract.ReservationServers;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.PollingWait;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The servers that the engine's user starts in reservations of a real cloud. */
public final class RealServers implements ReservationServers {

    private static final String SERVERS = "/servers";

    /** The first microversion that starts a server without a network. */
    private static final String MICROVERSION = "2.37";

    private static final PollingWait WAIT =
            new PollingWait(Duration.ofSeconds(60), Duration.ofMillis(200));

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;
    private final Function<Assignment, Map<String, ?>> fields;
    private final Function<Assignment, Map<String, ?>> hints;
    private final List<String> started = new ArrayList<>();

    /**
     * Starts no server yet.
     *
     * @param fields of a request in a reservation, such as its flavor
     * @param hints for the scheduler
     */
    public RealServers(
            Cloud cloud,
            Function<Assignment, Map<String, ?>> fields,
            Function<Assignment, Map<String, ?>> hints) {
        this.cloud = cloud;
        this.fields = fields;
        this.hints = hints;
    }

    /** Starts a server, with retries: the scheduler learns of aggregates a moment later. */
    @Override
    public String start(Assignment assignment, String name) {
        List<String> running = new ArrayList<>();
        WAIT.await(
                () -> {
                    String id = request(assignment, name);
                    started.add(id);
                    WAIT.await(() -> isDecided(id) ? Optional.empty() : Optional.of("a BUILD"));
                    if (status(id).equals("ACTIVE")) {
                        running.add(id);
                        return Optional.empty();
                    }
                    delete(id);
                    return Optional.of("The server has no host: " + name);
                });
        return running.getFirst();
    }

    private String request(Assignment assignment, String name) {
        JsonNode images =
                cloud.rest().send(CloudRequest.get(Nova.IMAGE, "/v2/images?name=cirros")).body();
        Map<String, Object> server = new TreeMap<>();
        server.put("name", name);
        server.put("flavorRef", "1");
        server.put("imageRef", images.path("images").path(0).path("id").asString());
        server.put("networks", "none");
        server.putAll(fields.apply(assignment));
        return cloud.rest()
                .send(
                        CloudRequest.post(
                                        Nova.COMPUTE,
                                        SERVERS,
                                        Map.of(
                                                "server",
                                                server,
                                                "os:scheduler_hints",
                                                hints.apply(assignment)))
                                .microversion(MICROVERSION))
                .body()
                .path("server")
                .path("id")
                .asString();
    }

    private boolean isDecided(String id) {
        return List.of("ACTIVE", "ERROR").contains(status(id));
    }

    private String status(String id) {
        return cloud.rest()
                .send(CloudRequest.get(Nova.COMPUTE, SERVERS + "/" + id))
                .body()
                .path("server")
                .path("status")
                .asString();
    }

    @Override
    public List<String> on(String resource) {
        return new Nova(cloud).serversOn(resource).stream().map(NovaServer::id).toList();
    }

    /** Deletes the servers that a failed test has left. */
    public void deleteAll() {
        started.forEach(this::delete);
        started.clear();
    }

    private void delete(String id) {
        String path = SERVERS + "/" + id;
        cloud.rest().send(CloudRequest.delete(Nova.COMPUTE, path).expecting(NOT_FOUND));
        WAIT.await(
                () ->
                        new Nova(cloud).server(id).isEmpty()
                                ? Optional.empty()
                                : Optional.of("The server " + id + " is there"));
    }
}
