package org.leasehold.resource.instance;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.vocabulary.ProjectId;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Adds the cloud's description of the flavor to a request. */
public final class FlavorRequestCompleter implements RequestCompleter {

    private final Flavors flavors;

    public FlavorRequestCompleter(Flavors flavors) {
        this.flavors = flavors;
    }

    @Override
    public Set<String> addedParameters() {
        return Set.of(FlavorPlanning.FLAVOR);
    }

    @Override
    public Completion complete(
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker) {
        Map<String, @Nullable Object> wish = new LinkedHashMap<>(present);
        wish.putAll(asked);
        String id = FlavorPlanning.flavorId(wish).orElse("");
        // The flavor behind an id may change. The promised flavor stays as it was promised.
        boolean settled =
                FlavorPlanning.validate(wish).isPresent()
                        || Objects.equals(id, present.get(FlavorPlanning.FLAVOR_ID));
        return settled ? new Completion.Complete(asked) : complete(asked, id, asker.project());
    }

    private Completion complete(Map<String, @Nullable Object> asked, String id, ProjectId project) {
        return switch (flavors.find(id, project)) {
            case Flavors.Search.Found(Flavor flavor) -> {
                Map<String, @Nullable Object> complete = new LinkedHashMap<>(asked);
                complete.put(FlavorPlanning.FLAVOR, flavor.parameters());
                yield new Completion.Complete(complete);
            }
            case Flavors.Search.NotFound _ ->
                    new Completion.NotFound(FlavorPlanning.FLAVOR_ID, FlavorPlanning.notFound(id));
            case Flavors.Search.Unknown(var fault) -> new Completion.Unknown(fault);
        };
    }
}
