package org.leasehold.gateway.v1.host;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.command.Commands;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.v1.http.V1Body;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.gateway.v1.http.V1Query;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** Endpoints of the extra capabilities of hosts. */
@RestController
class PropertyEndpoints {

    private final Commands commands;
    private final Resources resources;
    private final CommandContextFactory contexts;

    PropertyEndpoints(Commands commands, Resources resources, CommandContextFactory contexts) {
        this.commands = commands;
        this.resources = resources;
        this.contexts = contexts;
    }

    /** Lists properties. Both parameters are true with any value, {@code false} included. */
    @GetMapping("/v1/os-hosts/properties")
    ResponseEntity<byte[]> list(
            @AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        V1Query query = new V1Query(request);
        boolean hiddenToo = query.hasText("all") && caller.hasRole(Role.ADMIN);
        boolean detailed = query.hasText("detail");
        return V1Json.response(
                200,
                Map.of(
                        "resource_properties",
                        resources.properties(ResourceKind.PHYSICAL_HOST).stream()
                                .filter(property -> hiddenToo || !property.hidden())
                                .map(p -> HostRendering.property(p, detailed))
                                .toList()));
    }

    @PatchMapping("/v1/os-hosts/properties/{name}")
    ResponseEntity<byte[]> change(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("name") String name,
            HttpServletRequest request) {
        find(name);
        boolean hidden = parseHidden(V1Body.of(request));
        commands.send(
                new PropertyVisibility(ResourceKind.PHYSICAL_HOST, name, hidden),
                contexts.of(caller, request));
        return V1Json.response(
                200, Map.of("resource_property", HostRendering.changedProperty(find(name))));
    }

    private static boolean parseHidden(V1Body body) {
        JsonNode value = body.get("private");
        if (value == null) {
            throw V1Exception.missingParameter("private");
        }
        if (!value.isBoolean()) {
            throw V1Exception.malformedParameter("private");
        }
        return value.booleanValue();
    }

    private ResourceProperty find(String name) {
        return resources.properties(ResourceKind.PHYSICAL_HOST).stream()
                .filter(property -> property.name().equals(name))
                .findFirst()
                .orElseThrow(() -> V1Exception.notFound("property_name", name));
    }
}
