package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.SmallCloud.Asked;
import org.leasehold.resource.openstack.SmallCloud.Said;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A fake of Nova's server groups, of which each project sees its own. */
final class ServerGroupsOnPaper {

    private final List<NovaOnPaper.ServerGroup> groups = new ArrayList<>();

    /** The quota of a project. */
    private int quota = 10;

    void quota(int groups) {
        quota = groups;
    }

    List<NovaOnPaper.ServerGroup> groups() {
        return List.copyOf(groups);
    }

    NovaOnPaper.ServerGroup make(String name, String policy, String project) {
        var group =
                new NovaOnPaper.ServerGroup(UUID.randomUUID().toString(), name, policy, project);
        groups.add(group);
        return group;
    }

    Said answer(Asked request, List<String> parts, Map<String, String> query, String project) {
        if (request.method().equals("POST")) {
            if (groups.stream().filter(group -> group.project().equals(project)).count() >= quota) {
                return NovaOnPaper.refused(403, "Quota exceeded, too many server groups.");
            }
            JsonNode wish = request.body().path("server_group");
            NovaOnPaper.ServerGroup group =
                    make(wish.path("name").asString(), wish.path("policy").asString(), project);
            return Said.json(200, Map.of("server_group", shown(group)));
        }
        if (request.method().equals("DELETE")) {
            return groups.removeIf(group -> group.id().equals(parts.get(1)))
                    ? Said.nothing(204)
                    : NovaOnPaper.refused(404, "Instance group could not be found.");
        }
        List<Map<String, String>> found =
                groups.stream()
                        .filter(
                                group ->
                                        query.containsKey("all_projects")
                                                || group.project().equals(project))
                        .skip(Long.parseLong(query.getOrDefault("offset", "0")))
                        .limit(2)
                        .map(ServerGroupsOnPaper::shown)
                        .toList();
        return Said.json(200, Map.of("server_groups", found));
    }

    private static Map<String, String> shown(NovaOnPaper.ServerGroup group) {
        return Map.of(
                "id", group.id(),
                "name", group.name(),
                "policy", group.policy(),
                "project_id", group.project());
    }
}
