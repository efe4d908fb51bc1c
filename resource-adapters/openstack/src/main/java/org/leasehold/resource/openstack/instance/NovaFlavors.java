package org.leasehold.resource.openstack.instance;

import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.instance.Flavors;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Nova's flavors. The engine's own user sees all of them, also those of other projects. So a search
 * also queries who may use a flavor. It needs no user's token or trust.
 */
public final class NovaFlavors implements Flavors {

    private static final String COMPUTE = "compute";
    private static final int NOT_FOUND = 404;

    /** The first microversion that returns a flavor with its extra specs. */
    public static final String EXTRA_SPECS_MICROVERSION = "2.61";

    private final Cloud cloud;

    public NovaFlavors(Cloud cloud) {
        this.cloud = cloud;
    }

    @Override
    public Search find(String id, ProjectId project) {
        try {
            CloudResponse answer = send(path(id));
            JsonNode found = answer.body().path("flavor");
            return answer.status() != NOT_FOUND && isAccessible(found, id, project)
                    ? new Search.Found(flavor(found))
                    : new Search.NotFound();
        } catch (CloudFailure failure) {
            return new Search.Unknown(failure.fault());
        }
    }

    /**
     * Returns a flavor of any project, by its id or its name.
     *
     * @throws CloudFailure if Nova does not respond
     */
    public Optional<Flavor> findInAnyProject(String idOrName) {
        CloudResponse answer = send(path(idOrName));
        return answer.status() == NOT_FOUND
                ? send("/flavors/detail?is_public=None")
                        .body()
                        .path("flavors")
                        .valueStream()
                        .filter(found -> found.path("name").asString("").equals(idOrName))
                        .findFirst()
                        .map(NovaFlavors::flavor)
                : Optional.of(flavor(answer.body().path("flavor")));
    }

    private boolean isAccessible(JsonNode flavor, String id, ProjectId project) {
        return flavor.path("os-flavor-access:is_public").asBoolean(false)
                || send(path(id) + "/os-flavor-access")
                        .body()
                        .path("flavor_access")
                        .valueStream()
                        .anyMatch(
                                each ->
                                        each.path("tenant_id")
                                                .asString("")
                                                .equals(project.value()));
    }

    private CloudResponse send(String path) {
        return cloud.rest()
                .send(
                        CloudRequest.get(COMPUTE, path)
                                .microversion(EXTRA_SPECS_MICROVERSION)
                                .expecting(NOT_FOUND));
    }

    private static Flavor flavor(JsonNode found) {
        Map<String, String> extraSpecs = new TreeMap<>();
        found.path("extra_specs")
                .propertyStream()
                .forEach(each -> extraSpecs.put(each.getKey(), each.getValue().asString("")));
        return new Flavor(
                found.path("id").asString(""),
                found.path("name").asString(""),
                found.path("vcpus").asInt(0),
                found.path("ram").asInt(0),
                found.path("disk").asInt(0),
                found.path("OS-FLV-EXT-DATA:ephemeral").asInt(0),
                // An empty text if there is none.
                found.path("swap").asInt(0),
                extraSpecs);
    }

    private static String path(String id) {
        // An id may have blanks, which a path encodes differently from a form.
        return "/flavors/" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
