package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.lease.Fault.Kind;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.openstack4j.model.compute.HostAggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The requests of both clients, and the endpoints that they select. */
class CloudTest extends CloudFixture {

    @Test
    void calls_carry_the_id_of_the_current_request() {
        small.answer("compute", request -> Said.json(200, Map.of("aggregates", List.of())));

        CurrentRequest.during(
                "req-1",
                () -> new ParallelCalls(2).map(List.of(1, 2), _ -> cloud.rest().send(AGGREGATES)));
        cloud.call("compute", client -> client.compute().hostAggregates().list());

        assertThat(small.asked("compute"))
                .extracting(asked -> asked.headers().get("x-openstack-request-id"))
                .containsExactly("req-1", "req-1", null);
    }

    @Test
    void an_expected_status_is_not_a_failure() {
        small.answer("compute", request -> Said.json(409, Map.of("why", "it exists")));

        CloudResponse answer = cloud.rest().send(AGGREGATES.expecting(404, 409));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().path("why").asString()).isEqualTo("it exists");
    }

    @Test
    void openstack4j_returns_null_for_a_404() {
        small.answer("compute", request -> Said.json(404, Map.of()));

        HostAggregate none =
                cloud.call("compute", client -> client.compute().hostAggregates().get("7"));

        assertThat(none).isNull();
    }

    @Test
    void a_deletion_of_a_missing_resource_fails_with_404() {
        CloudFailure failure =
                catchThrowableOfType(
                        CloudFailure.class,
                        () ->
                                cloud.call(
                                        "compute",
                                        client -> client.compute().hostAggregates().delete("7")));

        assertThat(failure.status()).isEqualTo(404);
    }

    @Test
    void a_request_is_sent_with_method_path_body_and_headers() {
        small.answer("placement", request -> Said.nothing(204));

        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.put(
                                                "placement",
                                                "/resource_classes/CUSTOM_X?a=b",
                                                Map.of("n", 1))
                                        .microversion("1.38"));

        assertThat(answer.body().isMissingNode()).isTrue();
        FakeOpenStack.Asked asked = small.asked("placement").getFirst();
        assertThat(asked.method()).isEqualTo("PUT");
        assertThat(asked.path()).isEqualTo("/resource_classes/CUSTOM_X?a=b");
        assertThat(asked.body().toString()).isEqualTo("{\"n\":1}");
        assertThat(asked.headers())
                .containsEntry("openstack-api-version", "placement 1.38")
                .containsEntry("x-auth-token", "engine-1");
    }

    @Test
    void the_region_selects_the_endpoint_of_a_service() {
        cloud = cloud(Map.of("region", "two"));
        small.answer("compute-two", request -> Said.json(200, Map.of("aggregates", List.of())));

        List<? extends HostAggregate> aggregates =
                cloud.call("compute", client -> client.compute().hostAggregates().list());

        assertThat(aggregates).isEmpty();
        assertThat(cloud.rest().send(AGGREGATES).status()).isEqualTo(200);
        assertThat(small.asked("compute-two")).hasSize(2);
        assertThat(small.asked("compute")).isEmpty();
    }

    @Test
    void a_service_of_an_older_catalog_is_found_by_the_current_name() {
        small.answer("volumev3", request -> Said.json(200, Map.of()));

        assertThat(cloud.rest().send(CloudRequest.get("block-storage", "/types")).status())
                .isEqualTo(200);
    }

    @Test
    void a_service_outside_the_catalog_is_a_permanent_failure() {
        CloudFailure failure = failureOf(CloudRequest.get("dns", "/zones"));

        assertThat(failure.fault())
                .isEqualTo(
                        new Fault(
                                Kind.PERMANENT,
                                "The catalog has no public endpoint of dns in one"));
    }

    @Test
    void a_hanging_service_gets_limited_calls_and_does_not_block_others() throws Exception {
        cloud = cloud(Map.of("most-calls", "2", "call-timeout", "5s"));
        CountDownLatch arrived = new CountDownLatch(2);
        small.answer(
                "compute",
                request -> {
                    arrived.countDown();
                    return small.hang();
                });
        small.answer("placement", request -> Said.json(200, Map.of()));

        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<CloudFailure>> failures = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                failures.add(threads.submit(() -> failureOf(AGGREGATES)));
            }
            arrived.await();

            assertThat(cloud.rest().send(CloudRequest.get("placement", "/")).status())
                    .isEqualTo(200);
            assertThat(small.asked("compute")).hasSize(2);
            for (Future<CloudFailure> failure : failures) {
                assertThat(failure.get().fault().kind()).isEqualTo(Kind.RETRYABLE);
            }
        }
    }
}
