package org.leasehold.resource.openstack.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.SettableClock;
import org.leasehold.vocabulary.ProjectId;

import java.util.Map;

class KeystoneProjectsTest {

    private final SettableClock clock = new SettableClock();
    private final FakeOpenStack cloud = new FakeOpenStack(clock);
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
    void the_project_state_is_unknown_when_keystone_answers_503() {
        cloud.answer("identity", _ -> Said.nothing(503));

        assertThat(projects.find(new ProjectId("p1"))).isInstanceOf(Search.Unknown.class);
    }

    @Test
    void an_answer_404_without_a_project_message_leaves_the_state_unknown() {
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
