package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A fake of Nova's server groups, of which each project sees its own. */
final class FakeServerGroups {

    private final List<FakeNova.ServerGroup> groups = new ArrayList<>();

    /** The quota of a project. */
    private int quota = 10;

    void quota(int groups) {
        quota = groups;
    }

    void forget() {
        groups.clear();
    }

    List<FakeNova.ServerGroup> groups() {
        return List.copyOf(groups);
    }

    FakeNova.ServerGroup make(String name, String policy, String project) {
        var group = new FakeNova.ServerGroup(UUID.randomUUID().toString(), name, policy, project);
        groups.add(group);
        return group;
    }

    Said answer(Asked request, List<String> parts, Map<String, String> query, String project) {
        if (request.method().equals("POST")) {
            if (groups.stream().filter(group -> group.project().equals(project)).count() >= quota) {
                return FakeNova.refused(403, "Quota exceeded, too many server groups.");
            }
            JsonNode wish = request.body().path("server_group");
            FakeNova.ServerGroup group =
                    make(wish.path("name").asString(), wish.path("policy").asString(), project);
            return Said.json(200, Map.of("server_group", shown(group)));
        }
        if (request.method().equals("DELETE")) {
            return groups.removeIf(group -> group.id().equals(parts.get(1)))
                    ? Said.nothing(204)
                    : FakeNova.refused(404, "Instance group could not be found.");
        }
        List<Map<String, String>> found =
                groups.stream()
                        .filter(
                                group ->
                                        query.containsKey("all_projects")
                                                || group.project().equals(project))
                        .skip(Long.parseLong(query.getOrDefault("offset", "0")))
                        .limit(2)
                        .map(FakeServerGroups::shown)
                        .toList();
        return Said.json(200, Map.of("server_groups", found));
    }

    private static Map<String, String> shown(FakeNova.ServerGroup group) {
        return Map.of(
                "id", group.id(),
                "name", group.name(),
                "policy", group.policy(),
                "project_id", group.project());
    }
}
