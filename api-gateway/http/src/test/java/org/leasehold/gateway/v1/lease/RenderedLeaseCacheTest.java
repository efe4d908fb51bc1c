package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.v1.FakeCloudPlugins;
import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.leasehold.wire.blazar.LeaseRendering;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

class RenderedLeaseCacheTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final LeaseRendering rendering = new LeaseRendering(new FakeCloudPlugins());
    private final RenderedLeaseCache rendered = new RenderedLeaseCache(rendering);

    private static LeaseView lease(LeaseStatus status) {
        return new LeaseView(
                new LeaseId(new UUID(0, 1)),
                new ProjectId("astronomy"),
                new UserId("ada"),
                "Größe \"1\"",
                status,
                new LeasePeriod(NOON, NOON.plus(Duration.ofHours(1))),
                null,
                null,
                List.of(),
                List.of(),
                NOON,
                null,
                1,
                null,
                null);
    }

    @Test
    void the_cached_text_equals_the_rendered_lease() {
        LeaseView lease = lease(LeaseStatus.PENDING);
        assertThat(rendered.renderedText(lease).asUnquotedUTF8())
                .isEqualTo(V1Json.response(200, rendering.render(lease)).getBody());
    }

    @Test
    void a_lease_is_rendered_once() {
        LeaseView lease = lease(LeaseStatus.PENDING);
        assertThat(rendered.renderedText(lease)).isSameAs(rendered.renderedText(lease));
    }

    @Test
    void a_changed_lease_is_rendered_again() {
        assertThat(rendered.renderedText(lease(LeaseStatus.PENDING)).getValue())
                .contains("\"PENDING\"");
        assertThat(rendered.renderedText(lease(LeaseStatus.ACTIVE)).getValue())
                .contains("\"ACTIVE\"");
    }
}
