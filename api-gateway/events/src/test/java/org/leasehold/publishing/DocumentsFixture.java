package org.leasehold.publishing;

import org.leasehold.history.Epochs;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.wire.blazar.LeaseRendering;
import org.leasehold.wire.event.EventDocuments;
import org.leasehold.wire.event.EventRedaction;
import org.leasehold.wire.lease.OperatorLeaseDocuments;
import org.leasehold.wire.lease.PluginRendering;

import tools.jackson.databind.json.JsonMapper;

import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The documents of an engine without plug-ins. */
public final class DocumentsFixture {

    private static final Plugins PLUGINS =
            new Plugins() {
                @Override
                public Optional<ResourcePlugin> find(ResourceKind kind) {
                    return Optional.empty();
                }

                @Override
                public SortedSet<String> kinds() {
                    return new TreeSet<>();
                }
            };

    private DocumentsFixture() {}

    public static EventDocuments events(Epochs epochs) {
        return new EventDocuments(
                new EventRedaction(new PluginRendering(PLUGINS), _ -> Set.of(), "test", epochs),
                JsonMapper.shared());
    }

    public static OperatorLeaseDocuments operatorLeases() {
        return new OperatorLeaseDocuments(new PluginRendering(PLUGINS), JsonMapper.shared());
    }

    public static LeaseRendering blazarLeases() {
        return new LeaseRendering(PLUGINS);
    }
}
