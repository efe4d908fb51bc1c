package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.heat.StackResource;
import org.leasehold.resource.openstack.instance.NovaFlavors;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.stack.HeatResourceTypes;
import org.leasehold.resource.stack.PreviewedResource;
import org.leasehold.resource.stack.StackComponent;
import org.leasehold.resource.stack.Stacks;
import org.leasehold.resource.stack.Template;
import org.leasehold.resource.stack.TemplateCheck;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Heat's stacks. It previews a template as the caller, because the result depends on the caller's
 * keys, networks and quotas. It queries flavors and types as the engine.
 */
record HeatStacks(Heat heat, Nova nova, NovaFlavors flavors, Cinder cinder, Neutron neutron)
        implements Stacks, HeatResourceTypes.Cloud {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public Search preview(Map<String, @Nullable Object> wish, Asker asker) {
        String token = asker.token();
        if (token == null) {
            return new Search.Refused(
                    "A stack is made as its user, who has to ask for it with a token of"
                            + " Keystone's");
        }
        // A stack of the same name would be in the way.
        String name = "leasehold-preview-" + UUID.randomUUID();
        return searchOrFault(
                () ->
                        switch (heat.preview(
                                name, Template.request(wish), token, asker.project())) {
                            case Heat.Preview.Made(JsonNode resources) -> {
                                List<PreviewedResource> elements = new ArrayList<>();
                                addElements(elements, name, resources);
                                yield new HeatResourceTypes(this).readAll(elements);
                            }
                            case Heat.Preview.Refused(String message) ->
                                    new Search.Refused(message);
                        });
    }

    private static void addElements(
            List<PreviewedResource> elements, String stack, JsonNode resources) {
        for (JsonNode resource : resources) {
            if (resource.isArray()) {
                addElements(elements, stack, resource);
            } else {
                String nesting = Heat.nestedPrefix(stack, resource.path("stack_name").asString(""));
                elements.add(
                        new PreviewedResource(
                                nesting + resource.path("resource_name").asString(""),
                                resource.path("resource_type").asString(""),
                                toMap(resource.path("properties")),
                                toMap(resource.path("metadata"))));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> toMap(JsonNode object) {
        return object.isObject() ? JSON.treeToValue(object, LinkedHashMap.class) : Map.of();
    }

    @Override
    public Search find(String id, Asker asker) {
        String token = asker.token();
        return searchOrFault(
                () ->
                        (token == null
                                        ? heat.findById(id, asker.project())
                                        : heat.findById(id, token, asker.project()))
                                .map(this::readStack)
                                .orElseGet(Search.NotFound::new));
    }

    private Search readStack(ExistingStack stack) {
        if (TemplateCheck.hidesTypes(heat.registryOf(stack))) {
            return new Search.Refused(
                    "The stack %s cannot be reserved: its environment calls types of resources by"
                                    .formatted(stack.name())
                            + " names of its own");
        }
        List<StackComponent> parts = new ArrayList<>();
        for (StackResource resource : heat.resourcesOf(stack)) {
            if (HeatResourceTypes.sort(resource.type()) == HeatResourceTypes.Sort.UNKNOWN) {
                return HeatResourceTypes.refused(
                        resource.name(), resource.type(), HeatResourceTypes.UNKNOWN_REASON);
            }
            toComponent(resource).ifPresent(parts::add);
        }
        return new Search.Found(stack.name(), parts, Map.of());
    }

    /** Returns the part of a resource; empty if it was deleted outside Heat. */
    private Optional<StackComponent> toComponent(StackResource resource) {
        String name = resource.name();
        String type = resource.type();
        String id = resource.cloudId();
        return switch (HeatResourceTypes.sort(type)) {
            case SERVER ->
                    nova.server(id).map(found -> StackComponent.server(name, type, found.room()));
            case VOLUME ->
                    cinder.volume(id)
                            .map(
                                    found ->
                                            StackComponent.volume(
                                                    name, type, found.type(), found.size()));
            case FLOATING_IP ->
                    neutron.networkOfFloatingIp(id)
                            .map(network -> StackComponent.floatingIp(name, type, network));
            // An address that it has from a pool is not in the pool any more.
            case ADDRESS, NOTHING, UNKNOWN -> Optional.empty();
        };
    }

    private static Search searchOrFault(Supplier<Search> look) {
        try {
            return look.get();
        } catch (CloudFailure failure) {
            return new Search.Unknown(failure.fault());
        }
    }

    @Override
    public Optional<Flavor> flavor(String nameOrId) {
        return nameOrId.isEmpty() ? Optional.empty() : flavors.findInAnyProject(nameOrId);
    }

    @Override
    public Optional<String> volumeType(String nameOrId) {
        return nameOrId.isEmpty() ? cinder.defaultType() : cinder.findTypeName(nameOrId);
    }

    @Override
    public Optional<String> network(String nameOrId) {
        return nameOrId.isEmpty() ? Optional.empty() : neutron.externalNetwork(nameOrId);
    }
}
