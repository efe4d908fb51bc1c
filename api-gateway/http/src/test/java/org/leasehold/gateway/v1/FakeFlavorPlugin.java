package org.leasehold.gateway.v1;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.instance.FlavorPlanning;
import org.leasehold.resource.instance.FlavorRequestCompleter;
import org.leasehold.resource.instance.Flavors.Search;
import org.leasehold.vocabulary.ProjectId;

import java.util.Map;
import java.util.Optional;

/** The plug-in for flavors' instances: its planning is the real one, its cloud is a few flavors. */
final class FakeFlavorPlugin implements ResourcePlugin {

    private static final Fault AWAY = new Fault(Fault.Kind.RETRYABLE, "Nova does not answer");

    private final Planning planning = new FlavorPlanning();
    private final RequestCompleter completing = new FlavorRequestCompleter(FakeFlavorPlugin::find);

    /** Finds a flavor; one of them belongs to project p2 only. */
    private static Search find(String id, ProjectId project) {
        return switch (id) {
            case "away" -> new Search.Unknown(AWAY);
            case "small", "large" -> found(id);
            case "private" -> project.value().equals("p2") ? found(id) : new Search.NotFound();
            default -> new Search.NotFound();
        };
    }

    private static Search found(String id) {
        int vcpus = id.equals("large") ? 8 : 1;
        return new Search.Found(
                new Flavor(id, "m1." + id, vcpus, 2048, 20, 0, 0, Map.of("hw:numa_nodes", "1")));
    }

    @Override
    public ResourceKind kind() {
        return ResourceKind.FLAVOR_INSTANCE;
    }

    @Override
    public Planning planning() {
        return planning;
    }

    @Override
    public Optional<RequestCompleter> requestCompleter() {
        return Optional.of(completing);
    }

    @Override
    public Acting acting() {
        throw new UnsupportedOperationException();
    }
}
