package org.leasehold.gateway.api.resource;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.ResourceRequestBodies.Disablement;
import org.leasehold.gateway.api.resource.ResourceRequestBodies.ResourceChange;
import org.leasehold.gateway.api.resource.ResourceRequestBodies.ResourceRequest;
import org.leasehold.gateway.api.resource.ResourceResponses.DisabledResource;
import org.leasehold.gateway.api.resource.ResourceResponses.Resource;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.command.RetirementCheck;
import org.leasehold.gateway.security.Caller;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.ResourcePlugin;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Routes for commands of operators about resources. */
@RestController
@Tag(name = "resources")
class ResourceCommandRoutes {

    private final Commands commands;
    private final Resources resources;
    private final CommandContextFactory contexts;
    private final PluginFacade kinds;
    private final RetirementCheck retirements;

    ResourceCommandRoutes(
            Commands commands,
            Resources resources,
            CommandContextFactory contexts,
            PluginFacade kinds,
            RetirementCheck retirements) {
        this.commands = commands;
        this.resources = resources;
        this.contexts = contexts;
        this.kinds = kinds;
        this.retirements = retirements;
    }

    @Operation(
            operationId = "enrolResource",
            summary = "Enrol a resource",
            description = "Makes a resource of the cloud leasable.")
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @PostMapping("/api/resources")
    ResponseEntity<Resource> enrol(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody ResourceRequest wish,
            HttpServletRequest request) {
        ResourcePlugin plugin = kinds.plugin("kind", wish.kind());
        Discovery.Found found =
                ResourceProblems.requireFound(wish.name(), plugin.acting().discover(wish.name()));
        Map<String, String> capabilities = wish.capabilities();
        ResourceId id = commands.nextResourceId();
        long position =
                send(
                        new EnrolResource(
                                id,
                                plugin.kind(),
                                found.name(),
                                found.region(),
                                found.zone(),
                                found.attributes(),
                                capabilities == null ? Map.of() : capabilities),
                        contexts.of(caller, request));
        return ResponseEntity.created(URI.create("/api/resources/" + id))
                .headers(EventLogHeaders.at(position))
                .body(Resource.of(find(id.value())));
    }

    @Operation(
            operationId = "changeResource",
            summary = "Change capabilities of a resource",
            description =
                    "Sets or removes capabilities. A capability that a"
                            + " reservation relies on cannot change.")
    @PatchMapping("/api/resources/{id}")
    ResponseEntity<Resource> change(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") long id,
            @Valid @RequestBody ResourceChange change,
            HttpServletRequest request) {
        ResourceView resource = find(id);
        if (change.isEmpty()) {
            throw new ProblemException(
                    Problem.of(400, "bad-request", "The request changes nothing."));
        }
        Map<String, String> set = change.set();
        List<String> remove = change.remove();
        return resourceResponse(
                id,
                send(
                        new ChangeResource(
                                resource.id(),
                                set == null ? Map.of() : set,
                                remove == null ? Set.of() : new TreeSet<>(remove)),
                        contexts.of(caller, request)));
    }

    @Operation(
            operationId = "disableResource",
            summary = "Disable a resource",
            description =
                    "Takes it out of service: no new lease gets it, and no lease starts on it.")
    @PostMapping("/api/resources/{id}/disable")
    ResponseEntity<DisabledResource> disable(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") long id,
            @Valid @RequestBody Disablement disablement,
            HttpServletRequest request) {
        CommandContext context = contexts.of(caller, request);
        ResourceView resource = find(id);
        long position = send(new DisableResource(resource.id(), disablement.reason()), context);
        return ResponseEntity.ok()
                .headers(EventLogHeaders.at(position))
                .body(
                        new DisabledResource(
                                Resource.of(find(id)), affectedLeases(resource, context.now())));
    }

    private List<UUID> affectedLeases(ResourceView resource, Instant now) {
        return resources.allocations(resource.kind(), resource.id(), null, null, now).stream()
                .flatMap(calendar -> calendar.holdings().stream())
                .map(Holding::lease)
                .distinct()
                .map(lease -> lease.value())
                .toList();
    }

    @Operation(
            operationId = "enableResource",
            summary = "Enable a resource",
            description = "Puts it back into service.")
    @PostMapping("/api/resources/{id}/enable")
    ResponseEntity<Resource> enable(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") long id,
            HttpServletRequest request) {
        ResourceView resource = find(id);
        return resourceResponse(
                id, send(new EnableResource(resource.id()), contexts.of(caller, request)));
    }

    @Operation(
            operationId = "retireResource",
            summary = "Retire a resource",
            description = "Removes it from the inventory.")
    @ApiResponse(responseCode = "204")
    @DeleteMapping("/api/resources/{id}")
    ResponseEntity<Void> retire(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") long id,
            HttpServletRequest request) {
        ResourceView resource = find(id);
        retirements
                .findServers(resource)
                .ifPresent(
                        used -> {
                            throw ResourceProblems.inUse(used);
                        });
        long position = send(new RetireResource(resource.id()), contexts.of(caller, request));
        return ResponseEntity.noContent().headers(EventLogHeaders.at(position)).build();
    }

    private long send(ResourceCommand command, CommandContext context) {
        return switch (commands.send(command, context)) {
            case Outcome.Accepted<ResourceRejection> accepted -> accepted.position();
            // No command about a resource needs the calendar.
            case Outcome.Refused<ResourceRejection> refused ->
                    throw new IllegalStateException("a resource was refused: " + refused);
            case Outcome.Rejected<ResourceRejection> rejected ->
                    throw new ProblemException(ResourceProblems.of(rejected.rejection()));
        };
    }

    private ResourceView find(long id) {
        return ResourceIds.of(id)
                .flatMap(resources::find)
                .orElseThrow(() -> new ProblemException(Problem.notFound("resource")));
    }

    private ResponseEntity<Resource> resourceResponse(long id, long position) {
        return ResponseEntity.ok()
                .headers(EventLogHeaders.at(position))
                .body(Resource.of(find(id)));
    }
}
