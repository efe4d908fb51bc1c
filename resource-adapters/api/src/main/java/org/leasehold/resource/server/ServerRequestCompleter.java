package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.vocabulary.ProjectId;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Adds the server's zone and size, from the cloud, to a new request. */
public final class ServerRequestCompleter implements RequestCompleter {

    private final Servers servers;

    public ServerRequestCompleter(Servers servers) {
        this.servers = servers;
    }

    @Override
    public Set<String> addedParameters() {
        return Set.of(ServerPlanning.SERVER);
    }

    /** Completes new requests only: a change names no other server, and promises stay. */
    @Override
    public Completion complete(
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker) {
        return !present.isEmpty() || ServerPlanning.validate(asked).isPresent()
                ? new Completion.Complete(asked)
                : complete(asked, ServerPlanning.serverId(asked), asker.project());
    }

    private Completion complete(Map<String, @Nullable Object> asked, String id, ProjectId project) {
        return switch (servers.find(id, project)) {
            case Servers.Search.Found(ComputeCapacity room) -> {
                Map<String, @Nullable Object> complete = new LinkedHashMap<>(asked);
                complete.put(ServerPlanning.SERVER, room.attributes());
                yield new Completion.Complete(complete);
            }
            case Servers.Search.NotFound _ ->
                    new Completion.NotFound(ServerPlanning.SERVER_ID, ServerPlanning.notFound(id));
            case Servers.Search.Unknown(var fault) -> new Completion.Unknown(fault);
        };
    }
}
