package org.leasehold.gateway.v1.host;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.command.RetirementCheck;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.gateway.v1.http.V1Body;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.gateway.v1.http.V1Problems;
import org.leasehold.gateway.v1.http.V1Query;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ListResources;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Plugins;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Endpoints of the hosts that can be leased. */
@RestController
class HostEndpoints {

    private final Commands commands;
    private final Resources resources;
    private final Plugins plugins;
    private final CommandContextFactory contexts;
    private final PropertyRedaction redaction;
    private final RetirementCheck retirements;

    HostEndpoints(
            Commands commands,
            Resources resources,
            Plugins plugins,
            CommandContextFactory contexts,
            PropertyRedaction hidden,
            RetirementCheck retirements) {
        this.commands = commands;
        this.resources = resources;
        this.plugins = plugins;
        this.contexts = contexts;
        this.redaction = hidden;
        this.retirements = retirements;
    }

    @GetMapping("/v1/os-hosts")
    ResponseEntity<byte[]> list(
            @AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        V1Query query = new V1Query(request);
        ListResources question =
                new ListResources(
                        ResourceKind.PHYSICAL_HOST,
                        query.parameter("hypervisor_hostname"),
                        HostIds.requestedPart(query, "id"));
        return V1Json.pageResponse(
                "hosts",
                resources.page(question),
                redaction.forResources(caller).andThen(HostRendering::host),
                query);
    }

    @GetMapping("/v1/os-hosts/{id}")
    ResponseEntity<byte[]> show(
            @AuthenticationPrincipal Caller caller, @PathVariable("id") String id) {
        return answer(200, redaction.forResources(caller).apply(find(id)));
    }

    @PostMapping("/v1/os-hosts")
    ResponseEntity<byte[]> enrol(
            @AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        Map<String, @Nullable Object> body = V1Body.of(request).fields();
        String name = name(body);
        Map<String, String> capabilities = capabilities(body);
        Discovery.Found host = discover(name);
        // An operator cannot set the properties that the cloud reports.
        capabilities.keySet().removeAll(host.attributes().keySet());
        ResourceId id = commands.nextResourceId();
        send(
                new ResourceCommand.EnrolResource(
                        id,
                        ResourceKind.PHYSICAL_HOST,
                        host.name(),
                        host.region(),
                        host.zone(),
                        host.attributes(),
                        capabilities),
                contexts.of(caller, request));
        return answer(201, find(id.toString()));
    }

    @PutMapping("/v1/os-hosts/{id}")
    ResponseEntity<byte[]> change(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") String id,
            HttpServletRequest request) {
        ResourceView host = find(id);
        V1Body body = V1Body.of(request);
        if (body.isEmpty()) {
            throw V1Exception.refusedAsInternal(400, "No data to update");
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(body.fields());
        Set<String> removed =
                fields.keySet().stream()
                        .filter(name -> fields.get(name) == null)
                        .filter(name -> !HostRendering.READ_ONLY_FIELDS.contains(name))
                        .collect(Collectors.toCollection(TreeSet::new));
        fields.keySet().removeAll(removed);
        Map<String, String> capabilities = capabilities(fields);
        // A capability that the operator set before the cloud reported it stays the operator's.
        capabilities
                .keySet()
                .removeIf(
                        name ->
                                host.attributes().containsKey(name)
                                        && !host.capabilities().containsKey(name));
        if (!capabilities.isEmpty() || !removed.isEmpty()) {
            send(
                    new ResourceCommand.ChangeResource(host.id(), capabilities, removed),
                    contexts.of(caller, request));
        }
        return answer(200, find(id));
    }

    @DeleteMapping("/v1/os-hosts/{id}")
    ResponseEntity<Void> retire(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") String id,
            HttpServletRequest request) {
        ResourceView host = find(id);
        retirements
                .findServers(host)
                .ifPresent(
                        used -> {
                            throw inUse(used);
                        });
        send(new ResourceCommand.RetireResource(host.id()), contexts.of(caller, request));
        return ResponseEntity.noContent().build();
    }

    private Discovery.Found discover(String name) {
        Discovery discovery =
                plugins.find(ResourceKind.PHYSICAL_HOST)
                        .map(plugin -> plugin.acting().discover(name))
                        .orElseThrow(
                                () ->
                                        V1Exception.refused(
                                                400,
                                                "The physical:host resource type is not"
                                                        + " supported"));
        return switch (discovery) {
            case Discovery.Found found -> found;
            case Discovery.NotFound nowhere ->
                    throw V1Exception.refused(404, "Host '" + name + "' not found!");
            case Discovery.InUse used -> throw inUse(used);
            case Discovery.Unfit(String reason) -> throw V1Exception.refused(409, reason);
            case Discovery.Unknown unknown -> throw V1Problems.of(unknown.fault());
        };
    }

    private static V1Exception inUse(Discovery.InUse used) {
        return V1Exception.refused(
                409,
                "Servers %s found for host %s"
                        .formatted(V1Problems.pythonList(used.users()), used.name()));
    }

    private void send(ResourceCommand command, CommandContext context) {
        switch (commands.send(command, context)) {
            case Outcome.Accepted<ResourceRejection> done -> {}
            // No command about a resource needs the calendar.
            case Outcome.Refused<ResourceRejection> refused ->
                    throw new IllegalStateException("a resource was refused: " + refused);
            case Outcome.Rejected<ResourceRejection> rejected ->
                    throw V1Problems.of(rejected.rejection());
        }
    }

    private ResourceView find(String id) {
        return HostIds.parse(id)
                .flatMap(resources::find)
                .filter(resource -> resource.kind().equals(ResourceKind.PHYSICAL_HOST))
                .orElseThrow(() -> V1Exception.notFound("host_id", id));
    }

    private static String name(Map<String, @Nullable Object> body) {
        Object name = body.get("name") == null ? body.get("id") : body.get("name");
        if (name instanceof String || name instanceof Integer || name instanceof Long) {
            String text = name.toString();
            if (!text.isBlank()) {
                return text;
            }
        }
        throw V1Exception.refused(403, "Invalid values for host {}");
    }

    /** Returns the capabilities as text: all fields that are not the host's own. */
    private static Map<String, String> capabilities(Map<String, @Nullable Object> body) {
        Map<String, String> capabilities = new TreeMap<>();
        body.forEach(
                (key, value) -> {
                    if (!HostRendering.READ_ONLY_FIELDS.contains(key)) {
                        capabilities.put(key, capabilityText(key, value));
                    }
                });
        return capabilities;
    }

    private static String capabilityText(String key, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof Boolean truth) {
            // Python's form, which filters of Blazar are written for.
            return truth ? "True" : "False";
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Integer || value instanceof Long) {
            return value.toString();
        }
        throw V1Exception.malformedParameter(key);
    }

    private static ResponseEntity<byte[]> answer(int status, ResourceView host) {
        return V1Json.response(status, Map.of("host", HostRendering.host(host)));
    }
}
