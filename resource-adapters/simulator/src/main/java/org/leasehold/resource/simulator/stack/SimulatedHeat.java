package org.leasehold.resource.simulator.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.instance.FlavorList;
import org.leasehold.resource.simulator.volume.VolumeTable;
import org.leasehold.resource.stack.HeatResourceTypes;
import org.leasehold.resource.stack.Stacks;
import org.leasehold.resource.stack.Template;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** The simulated cloud's stacks, which it shows only while it is available. */
final class SimulatedHeat implements Stacks {

    /** The default type of volumes. */
    private static final String DEFAULT_VOLUME_TYPE = "silver";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaType REQUEST =
            JSON.getTypeFactory().constructMapType(LinkedHashMap.class, String.class, Object.class);

    private final CloudStore store;
    private final StackTable table;
    private final VolumeTable volumes;
    private final FlavorList flavors;

    SimulatedHeat(CloudStore store, StackTable table, VolumeTable volumes, FlavorList flavors) {
        this.store = store;
        this.table = table;
        this.volumes = volumes;
        this.flavors = flavors;
    }

    @Override
    public Search preview(Map<String, @Nullable Object> wish, Asker asker) {
        return searchIfAvailable(
                "preview_stack", () -> readTemplate("", Template.request(wish), asker.project()));
    }

    @Override
    public Search find(String id, Asker asker) {
        return searchIfAvailable(
                "find_stack",
                () ->
                        table.find(UUID.fromString(id))
                                .filter(stack -> stack.project().equals(asker.project()))
                                .map(
                                        stack ->
                                                readTemplate(
                                                        stack.name(),
                                                        request(stack),
                                                        asker.project()))
                                .orElseGet(Search.NotFound::new));
    }

    private static Map<String, ?> request(SimulatedStack stack) {
        return JSON.readValue(stack.request(), REQUEST);
    }

    private Search searchIfAvailable(String operation, Supplier<Search> look) {
        return switch (new SimulatedCloudCall(store, operation, null, () -> true)
                .perform(_ -> {})) {
            case Result.Failed failed -> new Search.Unknown(failed.fault());
            case Result.Done _ -> look.get();
        };
    }

    private Search readTemplate(String name, Map<String, ?> request, ProjectId project) {
        try {
            Search search =
                    new HeatResourceTypes(new Names(project))
                            .readAll(SimulatedTemplate.of(request).elements());
            return search instanceof Search.Found found
                    ? new Search.Found(name, found.parts(), found.policies())
                    : search;
        } catch (IllegalArgumentException noTemplate) {
            return new Search.Refused(String.valueOf(noTemplate.getMessage()));
        }
    }

    /** The cloud's objects as a project sees them. Their names are their ids. */
    private final class Names implements HeatResourceTypes.Cloud {

        private final ProjectId project;

        Names(ProjectId project) {
            this.project = project;
        }

        @Override
        public Optional<Flavor> flavor(String nameOrId) {
            return flavors.find(nameOrId, project);
        }

        @Override
        public Optional<String> volumeType(String nameOrId) {
            String name = nameOrId.isEmpty() ? DEFAULT_VOLUME_TYPE : nameOrId;
            return volumes.type(name).map(_ -> name);
        }

        @Override
        public Optional<String> network(String nameOrId) {
            return table.pool(nameOrId).map(_ -> nameOrId);
        }
    }
}
