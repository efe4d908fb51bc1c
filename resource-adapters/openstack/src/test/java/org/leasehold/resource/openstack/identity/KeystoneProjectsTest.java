package org.leasehold.resource.openstack.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.ProjectId;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.SetClock;
import org.leasehold.resource.openstack.SmallCloud;
import org.leasehold.resource.openstack.SmallCloud.Said;

import java.util.Map;

class KeystoneProjectsTest {

    private final SetClock clock = new SetClock();
    private final SmallCloud cloud = new SmallCloud(clock);
    private final KeystoneProjects projects =
            new KeystoneProjects(CloudSettings.of(cloud.settings()), clock);

    @AfterEach
    void close() {
        projects.close();
        cloud.close();
    }

    @Test
    void a_project_is_enabled_disabled_or_deleted() {
        cloud.answer(
                "identity",
                request ->
                        switch (request.path()) {
                            case "/projects/p1" -> project(true);
                            case "/projects/p2" -> project(false);
                            default -> missing(request.path());
                        });

        assertThat(projects.find(new ProjectId("p1")))
                .isEqualTo(new Search.Known(Standing.ENABLED));
        assertThat(projects.find(new ProjectId("p2")))
                .isEqualTo(new Search.Known(Standing.DISABLED));
        assertThat(projects.find(new ProjectId("p3")))
                .isEqualTo(new Search.Known(Standing.DELETED));
    }

    @Test
    void of_a_keystone_that_does_not_answer_nothing_is_known() {
        cloud.answer("identity", _ -> Said.nothing(503));

        assertThat(projects.find(new ProjectId("p1"))).isInstanceOf(Search.Unknown.class);
    }

    @Test
    void an_answer_404_that_is_not_keystones_says_nothing_about_a_project() {
        cloud.answer("identity", _ -> Said.nothing(404));
        assertThat(projects.find(new ProjectId("p1"))).isInstanceOf(Search.Unknown.class);

        // Keystone's own, for a path that it does not have.
        cloud.answer("identity", _ -> error("The requested URL was not found on the server."));
        assertThat(projects.find(new ProjectId("p1"))).isInstanceOf(Search.Unknown.class);
    }

    private static Said missing(String path) {
        return error("Could not find project: " + path.substring("/projects/".length()) + ".");
    }

    private static Said error(String message) {
        Map<String, ?> error = Map.of("code", 404, "message", message, "title", "Not Found");
        return Said.json(404, Map.of("error", error));
    }

    private static Said project(boolean enabled) {
        return Said.json(200, Map.of("project", Map.of("enabled", enabled)));
    }
}
