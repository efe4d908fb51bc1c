package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Completing.Asker;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.heat.StackResource;
import org.leasehold.resource.openstack.instance.NovaFlavors;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.stack.Element;
import org.leasehold.resource.stack.Part;
import org.leasehold.resource.stack.ResourceTypes;
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
        implements Stacks, ResourceTypes.Cloud {

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
        return looked(
                () ->
                        switch (heat.preview(
                                name, Template.request(wish), token, asker.project())) {
                            case Heat.Preview.Made(JsonNode resources) -> {
                                List<Element> elements = new ArrayList<>();
                                add(elements, name, resources);
                                yield new ResourceTypes(this).read(elements);
                            }
                            case Heat.Preview.Refused(String message) ->
                                    new Search.Refused(message);
                        });
    }

    private static void add(List<Element> elements, String stack, JsonNode resources) {
        for (JsonNode resource : resources) {
            if (resource.isArray()) {
                add(elements, stack, resource);
            } else {
                String nesting = Heat.nesting(stack, resource.path("stack_name").asString(""));
                elements.add(
                        new Element(
                                nesting + resource.path("resource_name").asString(""),
                                resource.path("resource_type").asString(""),
                                values(resource.path("properties")),
                                values(resource.path("metadata"))));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> values(JsonNode object) {
        return object.isObject() ? JSON.treeToValue(object, LinkedHashMap.class) : Map.of();
    }

    @Override
    public Search find(String id, Asker asker) {
        String token = asker.token();
        return looked(
                () ->
                        (token == null
                                        ? heat.withId(id, asker.project())
                                        : heat.withId(id, token, asker.project()))
                                .map(this::read)
                                .orElseGet(Search.NotFound::new));
    }

    private Search read(ExistingStack stack) {
        if (TemplateCheck.hidesTypes(heat.registryOf(stack))) {
            return new Search.Refused(
                    "The stack %s cannot be reserved: its environment calls types of resources by"
                                    .formatted(stack.name())
                            + " names of its own");
        }
        List<Part> parts = new ArrayList<>();
        for (StackResource resource : heat.resourcesOf(stack)) {
            if (ResourceTypes.sort(resource.type()) == ResourceTypes.Sort.UNKNOWN) {
                return ResourceTypes.refused(
                        resource.name(), resource.type(), ResourceTypes.UNKNOWN);
            }
            part(resource).ifPresent(parts::add);
        }
        return new Search.Found(stack.name(), parts, Map.of());
    }

    /** Returns the part of a resource; empty if it was deleted outside Heat. */
    private Optional<Part> part(StackResource resource) {
        String name = resource.name();
        String type = resource.type();
        String id = resource.cloudId();
        return switch (ResourceTypes.sort(type)) {
            case SERVER -> nova.server(id).map(found -> Part.server(name, type, found.room()));
            case VOLUME ->
                    cinder.volume(id)
                            .map(found -> Part.volume(name, type, found.type(), found.size()));
            case FLOATING_IP ->
                    neutron.networkOfFloatingIp(id)
                            .map(network -> Part.floatingIp(name, type, network));
            // An address that it has from a pool is not in the pool any more.
            case ADDRESS, NOTHING, UNKNOWN -> Optional.empty();
        };
    }

    private static Search looked(Supplier<Search> look) {
        try {
            return look.get();
        } catch (CloudFailure failure) {
            return new Search.Unknown(failure.fault());
        }
    }

    @Override
    public Optional<Flavor> flavor(String nameOrId) {
        return nameOrId.isEmpty() ? Optional.empty() : flavors.any(nameOrId);
    }

    @Override
    public Optional<String> volumeType(String nameOrId) {
        return nameOrId.isEmpty() ? cinder.usualType() : cinder.typeNamed(nameOrId);
    }

    @Override
    public Optional<String> network(String nameOrId) {
        return nameOrId.isEmpty() ? Optional.empty() : neutron.outside(nameOrId);
    }
}
