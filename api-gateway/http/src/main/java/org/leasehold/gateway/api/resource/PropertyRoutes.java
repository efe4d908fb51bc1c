package org.leasehold.gateway.api.resource;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.command.Commands;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.http.FullPageQuery;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.ResourceRequestBodies.PropertyChange;
import org.leasehold.gateway.api.resource.ResourceResponses.Properties;
import org.leasehold.gateway.api.resource.ResourceResponses.Property;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.CountedProperty;
import org.leasehold.readmodel.resource.Resources.ListProperties;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Routes for the capabilities that reservations may request. */
@RestController
@Tag(name = "resources")
class PropertyRoutes {

    private final Commands commands;
    private final Resources resources;
    private final EventLogPositions positions;
    private final CommandContextFactory contexts;
    private final PluginFacade kinds;

    PropertyRoutes(
            Commands commands,
            Resources resources,
            EventLogPositions positions,
            CommandContextFactory contexts,
            PluginFacade kinds) {
        this.commands = commands;
        this.resources = resources;
        this.positions = positions;
        this.contexts = contexts;
        this.kinds = kinds;
    }

    @Operation(
            operationId = "listProperties",
            summary = "List properties of a kind of resources",
            description =
                    "By name, each with its values and the number of enrolled resources with each"
                            + " value. Hidden capabilities are for administrators only. The Link"
                            + " header with rel=next leads to the next page.")
    @LongRead
    @GetMapping("/api/properties")
    ResponseEntity<Properties> list(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "kind") String kind,
            @NotNull @Valid FullPageQuery paging,
            HttpServletRequest request) {
        Page<Property> page =
                resources
                        .page(
                                new ListProperties(
                                        kinds.kind("kind", kind),
                                        null,
                                        caller.hasRole(Role.ADMIN),
                                        paging.marker(),
                                        paging.limit()))
                        .map(Property::of);
        return NextPageLink.response(request, page, Properties::new);
    }

    @Operation(
            operationId = "changeProperty",
            summary = "Hide or show a property",
            description =
                    "Only administrators see a hidden property, and only"
                            + " they may use it in a requirement.")
    @PatchMapping("/api/properties/{kind}/{name}")
    ResponseEntity<Property> change(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("kind") String kind,
            @PathVariable("name") String name,
            @Valid @RequestBody PropertyChange change,
            HttpServletRequest request) {
        ResourceProperty property = find(kind, name).property();
        commands.send(
                new PropertyVisibility(property.kind(), property.name(), change.hidden()),
                contexts.of(caller, request));
        long position = positions.last();
        return ResponseEntity.ok()
                .headers(EventLogHeaders.at(position))
                .body(Property.of(find(kind, name)));
    }

    private CountedProperty find(String kind, String name) {
        if (!kinds.kindNames().contains(kind)) {
            throw new ProblemException(Problem.notFound("kind"));
        }
        return resources
                .page(new ListProperties(new ResourceKind(kind), name, true, null, 1))
                .items()
                .stream()
                .findFirst()
                .orElseThrow(() -> new ProblemException(Problem.notFound("property")));
    }
}
