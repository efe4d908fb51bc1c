package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;

import java.util.HashMap;
import java.util.Map;

/** A cloud of one compute service, and the connection to it. */
abstract class CloudFixture {

    static final CloudRequest AGGREGATES = CloudRequest.get("compute", "/os-aggregates");

    final SettableClock clock = new SettableClock();
    final FakeOpenStack small = new FakeOpenStack(clock);
    Cloud cloud = cloud(Map.of());

    Cloud cloud(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(small.settings());
        settings.put("region", "one");
        settings.putAll(more);
        return new Cloud(CloudSettings.of(settings), clock);
    }

    @AfterEach
    void close() {
        cloud.close();
        small.close();
    }

    CloudFailure failureOf(CloudRequest request) {
        return failureOf(cloud, request);
    }

    static CloudFailure failureOf(Cloud cloud, CloudRequest request) {
        return catchThrowableOfType(CloudFailure.class, () -> cloud.rest().send(request));
    }
}
