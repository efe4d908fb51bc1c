package org.leasehold.saga.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.NOON;

import org.junit.jupiter.api.Test;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

class FreedCapacityTest {

    private static final ResourceId HOST = new ResourceId(1);
    private static final ResourceEvent ENROLLED =
            new ResourceEnrolled(
                    HOST, ResourceKind.PHYSICAL_HOST, "node1", null, null, Map.of(), Map.of());
    private static final ResourceEvent CHANGED =
            new ResourceChanged(HOST, Map.of("gpu", "yes"), Set.of());
    private static final ResourceEvent DESCRIBED =
            new ResourceDescribed(HOST, null, null, Map.of(), List.of());
    private static final ResourceEvent DISABLED = new ResourceDisabled(HOST, "broken", List.of());

    private static final FreedCapacity FREED =
            new FreedCapacity(
                    ResourceKind.PHYSICAL_HOST, new LeasePeriod(NOON, LeasePeriod.MAX_TIME), false);

    private static List<FreedCapacity> freedBy(ResourceEvent... events) {
        List<RecordedEvent> life = new ArrayList<>();
        for (ResourceEvent event : events) {
            life.add(new RecordedEvent(life.size() + 1, "1", life.size(), event, NOON));
        }
        return FreedCapacity.ofResource(life, NOON);
    }

    @Test
    void a_resource_in_service_is_free_from_now_on() {
        assertThat(freedBy(ENROLLED)).containsExactly(FREED);
        assertThat(freedBy(ENROLLED, CHANGED, DESCRIBED)).containsExactly(FREED);
        assertThat(freedBy(ENROLLED, DISABLED, new ResourceEnabled(HOST))).containsExactly(FREED);
    }

    @Test
    void a_resource_out_of_service_frees_nothing() {
        assertThat(freedBy(ENROLLED, DISABLED, CHANGED)).isEmpty();
        assertThat(freedBy(ENROLLED, DISABLED, DESCRIBED)).isEmpty();
        assertThat(freedBy(ENROLLED, new ResourceRetired(HOST), DESCRIBED)).isEmpty();
    }
}
