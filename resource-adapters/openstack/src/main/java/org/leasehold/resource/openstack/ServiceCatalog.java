package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudSettings.Facing;
import org.openstack4j.api.identity.EndpointURLResolver;
import org.openstack4j.api.types.ServiceType;
import org.openstack4j.model.identity.URLResolverParams;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The addresses of the cloud's services, from a login. openstack4j resolves addresses here, too:
 * its own resolver never forgets one.
 */
record ServiceCatalog(JsonNode services, CloudSettings settings) implements EndpointURLResolver {

    private static final String IDENTITY = "identity";

    /** Names of one service in clouds of different ages. */
    private static final Map<String, String> ALIASES =
            Map.of("volumev3", "block-storage", "block-store", "block-storage");

    /** Returns the address of a service; it does not end in a slash. */
    URI endpoint(String service) {
        if (service.equals(IDENTITY)) {
            return settings.authUrl();
        }
        return URI.create(
                find(type -> officialType(type).equals(officialType(service)))
                        .orElseThrow(() -> missingEndpoint(service)));
    }

    @Override
    public String findURLV2(URLResolverParams params) {
        throw new UnsupportedOperationException("Keystone's version 2 is gone");
    }

    @Override
    public String findURLV3(URLResolverParams params) {
        if (params.type == ServiceType.IDENTITY) {
            return settings.authUrl().toString();
        }
        return find(type -> ServiceType.forName(type) == params.type)
                .orElseThrow(() -> missingEndpoint(params.type.getType()));
    }

    /** Returns whether the catalog has the service, for the configured interface and region. */
    boolean hasService(String service) {
        return find(type -> officialType(type).equals(officialType(service))).isPresent();
    }

    private Optional<String> find(Predicate<String> isWanted) {
        for (JsonNode service : services) {
            if (isWanted.test(service.path("type").asString(""))) {
                for (JsonNode endpoint : service.path("endpoints")) {
                    if (matches(endpoint)) {
                        return Optional.of(endpoint.path("url").asString("").replaceAll("/+$", ""));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private CloudFailure missingEndpoint(String wanted) {
        return new CloudFailure(
                Fault.Kind.PERMANENT,
                CloudFailure.NO_ANSWER,
                "The catalog has no %s endpoint of %s%s"
                        .formatted(
                                settings.facing().word(),
                                wanted,
                                settings.region() == null ? "" : " in " + settings.region()));
    }

    private boolean matches(JsonNode endpoint) {
        Facing facing = settings.facing();
        String region = settings.region();
        return endpoint.path("interface").asString("").equals(facing.word())
                && (region == null || endpoint.path("region").asString("").equals(region));
    }

    private static String officialType(String type) {
        return ALIASES.getOrDefault(type, type);
    }
}
