package org.leasehold.gateway.v1;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.v1.http.FloatingIpIds;
import org.leasehold.gateway.v1.http.V1Body;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.gateway.v1.http.V1Problems;
import org.leasehold.gateway.v1.http.V1Query;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ListResources;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.wire.blazar.BlazarTimes;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Endpoints of the floating IPs that can be leased. */
@RestController
class FloatingIpEndpoints {

    private final Commands commands;
    private final Resources resources;
    private final Plugins plugins;
    private final CommandContextFactory contexts;

    FloatingIpEndpoints(
            Commands commands,
            Resources resources,
            Plugins plugins,
            CommandContextFactory contexts) {
        this.commands = commands;
        this.resources = resources;
        this.plugins = plugins;
        this.contexts = contexts;
    }

    @GetMapping("/v1/floatingips")
    ResponseEntity<byte[]> list(HttpServletRequest request) {
        V1Query query = new V1Query(request);
        Page<ResourceView> page =
                resources.page(
                        new ListResources(
                                ResourceKind.FLOATING_IP,
                                null,
                                FloatingIpIds.requestedPart(query)));
        @Nullable String next =
                page.next() == null ? null : FloatingIpIds.of(page.items().getLast().id());
        return V1Json.pageResponse(
                "floatingips",
                new Page<>(page.items(), next),
                floatingIp -> render(floatingIp, BlazarTimes::formatSeconds),
                query);
    }

    @GetMapping("/v1/floatingips/{id}")
    ResponseEntity<byte[]> show(@PathVariable("id") String id) {
        return answer(200, render(find(id), BlazarTimes::formatSeconds));
    }

    @PostMapping("/v1/floatingips")
    ResponseEntity<byte[]> enrol(
            @AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        V1Body body = V1Body.of(request);
        String network = body.text(FloatingIp.NETWORK);
        String address = body.text(FloatingIp.ADDRESS);
        if (!FloatingIp.isAddress(address)) {
            throw V1Exception.refused(400, "IP address " + address + " is invalid form.");
        }
        FloatingIp asked =
                FloatingIp.of(network, address)
                        .orElseThrow(() -> V1Exception.malformedParameter(FloatingIp.NETWORK));
        Discovery.Found found = discover(asked);
        ResourceId id = commands.nextResourceId();
        var enrolment =
                new EnrolResource(
                        id,
                        ResourceKind.FLOATING_IP,
                        found.name(),
                        found.region(),
                        found.zone(),
                        found.attributes(),
                        Map.of());
        requireAccepted(commands.send(enrolment, contexts.of(caller, request)), asked.address());
        // Only this response of Blazar has its times in the other form.
        return answer(
                201, render(find(FloatingIpIds.of(id)), FloatingIpEndpoints::formatMicroseconds));
    }

    @DeleteMapping("/v1/floatingips/{id}")
    ResponseEntity<Void> retire(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") String id,
            HttpServletRequest request) {
        ResourceView floatingIp = find(id);
        requireAccepted(
                commands.send(new RetireResource(floatingIp.id()), contexts.of(caller, request)),
                floatingIp.name());
        return ResponseEntity.noContent().build();
    }

    private Discovery.Found discover(FloatingIp asked) {
        Discovery discovery =
                plugins.find(ResourceKind.FLOATING_IP)
                        .map(plugin -> plugin.acting().discover(asked.name()))
                        .orElseThrow(
                                () ->
                                        V1Exception.refused(
                                                400,
                                                "The virtual:floatingip resource type is not"
                                                        + " supported"));
        return switch (discovery) {
            case Discovery.Found found -> found;
            case Discovery.NotFound _ ->
                    throw V1Exception.refused(
                            404,
                            "Valid subnet for the floating IP %s is not found."
                                    .formatted(asked.address()));
            case Discovery.InUse used ->
                    throw V1Exception.refused(
                            409,
                            "The floating IP %s is used by %s."
                                    .formatted(
                                            asked.address(), V1Problems.pythonList(used.users())));
            case Discovery.Unfit(String reason) -> throw V1Exception.refused(400, reason);
            case Discovery.Unknown unknown -> throw V1Problems.of(unknown.fault());
        };
    }

    private static void requireAccepted(Outcome<ResourceRejection> outcome, String address) {
        switch (outcome) {
            case Outcome.Accepted<ResourceRejection> _ -> {}
            // No command about a resource needs the calendar.
            case Outcome.Refused<ResourceRejection> refused ->
                    throw new IllegalStateException("a resource was refused: " + refused);
            case Outcome.Rejected<ResourceRejection> rejected ->
                    throw V1Problems.ofFloatingIp(rejected.rejection(), address);
        }
    }

    private ResourceView find(String id) {
        return FloatingIpIds.parse(id)
                .flatMap(resources::find)
                .filter(resource -> resource.kind().equals(ResourceKind.FLOATING_IP))
                .orElseThrow(() -> V1Exception.notFound(FloatingIpIds.KEY, id));
    }

    private static Map<String, @Nullable Object> render(
            ResourceView floatingIp, Function<@Nullable Instant, @Nullable String> time) {
        Map<String, @Nullable Object> attributes = floatingIp.attributes();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", FloatingIpIds.of(floatingIp.id()));
        fields.put(FloatingIp.NETWORK, attributes.get(FloatingIp.NETWORK));
        fields.put(FloatingIp.SUBNET, attributes.get(FloatingIp.SUBNET));
        fields.put(FloatingIp.ADDRESS, attributes.get(FloatingIp.ADDRESS));
        fields.put("reservable", floatingIp.reservable());
        fields.put("created_at", time.apply(floatingIp.createdAt()));
        fields.put("updated_at", time.apply(floatingIp.updatedAt()));
        return fields;
    }

    private static @Nullable String formatMicroseconds(@Nullable Instant instant) {
        return instant == null ? null : BlazarTimes.formatMicroseconds(instant);
    }

    private static ResponseEntity<byte[]> answer(
            int status, Map<String, @Nullable Object> floatingIp) {
        return V1Json.response(status, Map.of("floatingip", floatingIp));
    }
}
