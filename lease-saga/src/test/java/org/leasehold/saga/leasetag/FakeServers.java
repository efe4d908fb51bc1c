package org.leasehold.saga.leasetag;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.saga.fakes.FakeServerPlugin;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A cloud of servers with lease tags. */
final class FakeServers extends FakeServerPlugin implements LeaseTagSource {

    private final Map<String, Map<String, String>> written = new LinkedHashMap<>();
    private final List<String> answers = new ArrayList<>();
    private boolean away;

    void write(String server, Map<String, String> metadata) {
        written.put(server, new TreeMap<>(metadata));
    }

    Map<String, String> on(String server) {
        return written.getOrDefault(server, Map.of());
    }

    /** Returns the written answers, by server. */
    List<String> answers() {
        return answers;
    }

    void away(boolean isAway) {
        away = isAway;
    }

    @Override
    public Seen findTaggedObjects() {
        return away
                ? new Seen.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"))
                : new Seen.All(
                        written.entrySet().stream()
                                .map(each -> object(each.getKey(), each.getValue()))
                                .filter(LeaseTaggedObject::hasLeaseTag)
                                .toList());
    }

    private static LeaseTaggedObject object(String server, Map<String, String> metadata) {
        return new LeaseTaggedObject(
                server, PROJECT, USER, "web", Map.of(ServerPlanning.SERVER_ID, server), metadata);
    }

    @Override
    public void writeError(LeaseTaggedObject object, @Nullable String problem) {
        answers.add(object.thing() + ": " + problem);
        if (problem == null) {
            written.get(object.thing()).remove(LeaseTaggedObject.ERROR);
        } else {
            written.get(object.thing()).put(LeaseTaggedObject.ERROR, problem);
        }
    }

    @Override
    public Search find(String id, ProjectId project) {
        if (away) {
            return new Search.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));
        }
        return written.containsKey(id)
                ? new Search.Found(new ComputeCapacity("nova", 1, 512, 1))
                : new Search.NotFound();
    }

    @Override
    public Optional<LeaseTagSource> leaseTagSource() {
        return Optional.of(this);
    }
}
