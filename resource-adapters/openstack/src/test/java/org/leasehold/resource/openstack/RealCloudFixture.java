package org.leasehold.resource.openstack;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.util.Map;
import java.util.Objects;

/**
 * A contract on the real cloud. All tests of a class share the connections and logins, as all
 * requests of an engine do: each login costs the cloud's services a validation of its token.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public interface RealCloudFixture {

    /** Returns the settings of the real cloud, which a script sets in the environment. */
    static Map<String, String> realCloud() {
        return Map.of(
                "auth-url", environment("AUTH_URL"),
                "user", environment("USER"),
                "password", environment("PASSWORD"),
                "project", environment("PROJECT"));
    }

    /** Returns a script's value for the real cloud; fails without it. */
    static String environment(String name) {
        return Objects.requireNonNull(
                System.getenv("LEASEHOLD_CONTRACT_" + name), "LEASEHOLD_CONTRACT_" + name);
    }

    /** Returns the engine's own project: Nova accepts no id that Keystone does not know. */
    static ProjectId projectOf(Cloud cloud) {
        CloudRequest request =
                CloudRequest.get("identity", "/projects?name=" + environment("PROJECT"));
        JsonNode projects = cloud.rest().send(request).body().path("projects");
        return new ProjectId(projects.path(0).path("id").asString());
    }

    /** Closes all connections to the cloud. */
    void disconnect();

    @AfterAll
    default void disconnectAfterAll() {
        disconnect();
    }
}
