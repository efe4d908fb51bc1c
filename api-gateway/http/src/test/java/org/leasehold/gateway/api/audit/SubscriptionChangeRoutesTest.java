package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.readmodel.subscription.SubscriptionChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Done;
import org.leasehold.readmodel.subscription.SubscriptionChanges.ListChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.SubscriptionChange;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The changes of subscriptions that auditors read. */
@ApiTest
class SubscriptionChangeRoutesTest extends AuditRoutesFixture {

    @Autowired FakeSubscriptionChanges changes;

    @Test
    void an_auditor_reads_the_changes_of_subscriptions() {
        UUID hook = UUID.randomUUID();
        var done =
                new Done(
                        SubscriptionChanges.Kind.WEBHOOK,
                        hook,
                        new ProjectId("p1"),
                        SubscriptionChanges.Action.SECRET_REPLACED,
                        Map.of("secret", "…"),
                        null);
        changes.changes.add(
                new SubscriptionChange(
                        ApiTestServer.NOW,
                        done,
                        new UserId("u-admin"),
                        new ProjectId("ops"),
                        List.of("admin"),
                        "basic",
                        REQUEST,
                        RequestOrigin.of("192.0.2.7", "curl/8"),
                        "it leaked"));

        JsonNode listed =
                client.get(
                                "auditor",
                                "/api/audit/subscriptions?user=u&project=p&subscription=%s&limit=5"
                                        .formatted(hook))
                        .json()
                        .at("/changes/0");

        assertThat(changes.asked).isEqualTo(new ListChanges("u", "p", hook, null, 5));
        assertThat(listed.path("at").asString()).isEqualTo(ApiTestServer.NOW.toString());
        assertThat(listed.path("kind").asString()).isEqualTo("webhook");
        assertThat(listed.path("subscription_id").asString()).isEqualTo(hook.toString());
        assertThat(listed.path("project_id").asString()).isEqualTo("p1");
        assertThat(listed.path("action").asString()).isEqualTo("secret_replaced");
        assertThat(listed.at("/before/secret").asString()).isEqualTo("…");
        assertThat(listed.path("after").isNull()).isTrue();
        assertThat(listed.path("user_id").asString()).isEqualTo("u-admin");
        assertThat(listed.path("user_project_id").asString()).isEqualTo("ops");
        assertThat(listed.at("/roles/0").asString()).isEqualTo("admin");
        assertThat(listed.path("authentication").asString()).isEqualTo("basic");
        assertThat(listed.path("request_id").asString()).isEqualTo(REQUEST);
        assertThat(listed.path("address").asString()).isEqualTo("192.0.2.7");
        assertThat(listed.path("agent").asString()).isEqualTo("curl/8");
        assertThat(listed.path("reason").asString()).isEqualTo("it leaked");
        assertThat(client.get("auditor", "/api/audit/subscriptions?marker=x").names("marker"))
                .isTrue();
    }
}
