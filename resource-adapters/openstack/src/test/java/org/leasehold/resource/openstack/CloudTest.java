package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.lease.Fault;
import org.leasehold.lease.Fault.Kind;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.vocabulary.TrustId;
import org.openstack4j.model.compute.HostAggregate;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

class CloudTest {

    private static final CloudRequest AGGREGATES = CloudRequest.get("compute", "/os-aggregates");

    private final SettableClock clock = new SettableClock();
    private final FakeOpenStack small = new FakeOpenStack(clock);
    private Cloud cloud = cloud(Map.of());

    @AfterEach
    void close() {
        cloud.close();
        small.close();
    }

    @Test
    void both_clients_share_one_login_for_many_calls() {
        small.answer("compute", request -> Said.json(200, Map.of("aggregates", List.of())));

        cloud.rest().send(AGGREGATES);
        cloud.rest().send(AGGREGATES);
        cloud.call("compute", client -> client.compute().hostAggregates().list());

        assertThat(small.asked("compute")).hasSize(3);
        assertThat(small.logins()).isEqualTo(1);
    }

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
    void many_threads_share_one_login() throws Exception {
        small.answer("compute", request -> Said.json(200, Map.of()));
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<CloudResponse>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                answers.add(
                        threads.submit(
                                () -> {
                                    go.await();
                                    return cloud.rest().send(AGGREGATES);
                                }));
            }
            go.countDown();
            for (Future<CloudResponse> answer : answers) {
                assertThat(answer.get().status()).isEqualTo(200);
            }
        }
        assertThat(small.logins()).isEqualTo(1);
    }

    @Test
    void a_login_is_renewed_before_it_expires() {
        small.answer("compute", request -> Said.json(200, Map.of()));
        small.lifetime(Duration.ofMinutes(10));

        cloud.rest().send(AGGREGATES);
        clock.putForward(Duration.ofMinutes(8));
        cloud.rest().send(AGGREGATES);
        assertThat(small.logins()).isEqualTo(1);

        clock.putForward(Duration.ofMinutes(1));
        cloud.rest().send(AGGREGATES);
        assertThat(small.logins()).isEqualTo(2);
    }

    @Test
    void a_login_is_used_until_it_expires_while_keystone_is_away() {
        small.answer("compute", request -> Said.json(200, Map.of()));
        small.lifetime(Duration.ofMinutes(100));
        cloud.rest().send(AGGREGATES);
        AtomicInteger attempts = new AtomicInteger();
        small.keystone(
                request -> {
                    attempts.incrementAndGet();
                    return Said.nothing(503);
                });

        clock.putForward(Duration.ofMinutes(91));
        cloud.rest().send(AGGREGATES);
        cloud.rest().send(AGGREGATES);
        assertThat(attempts).hasValue(1);
        clock.putForward(Duration.ofMinutes(1));
        cloud.rest().send(AGGREGATES);
        assertThat(attempts).hasValue(2);

        clock.putForward(Duration.ofMinutes(8));
        assertThat(failureOf(AGGREGATES).status()).isEqualTo(503);
        small.keystone(null);
        assertThat(cloud.rest().send(AGGREGATES).status()).isEqualTo(200);
        assertThat(small.logins()).isEqualTo(2);
    }

    @Test
    void a_login_that_is_no_longer_accepted_is_renewed_during_an_action() {
        small.answer(
                "compute",
                request ->
                        Said.json(200, Map.of("aggregate", Map.of("id", 7, "name", "freepool"))));
        HostAggregate before = aggregate();
        small.forgetLogins();

        HostAggregate after = aggregate();
        small.forgetLogins();
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.post(
                                        "compute", "/os-aggregates/7/action", Map.of("a", 1)));

        assertThat(before.getName()).isEqualTo(after.getName()).isEqualTo("freepool");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(small.logins()).isEqualTo(3);
    }

    @Test
    void an_openstack4j_call_is_retried_with_a_new_login() {
        AtomicInteger deletions = new AtomicInteger();
        small.answer(
                "compute",
                request -> {
                    deletions.incrementAndGet();
                    return Said.nothing(200);
                });
        cloud.rest().send(AGGREGATES);
        small.forgetLogins();

        cloud.call("compute", client -> client.compute().hostAggregates().delete("7"));

        assertThat(deletions).hasValue(2);
        assertThat(small.logins()).isEqualTo(2);
    }

    @Test
    void a_service_that_accepts_no_login_causes_a_denied_fault() {
        small.answer("compute", request -> Said.json(401, Map.of()));

        assertThat(failureOf(AGGREGATES).fault().kind()).isEqualTo(Kind.DENIED);
        assertThat(small.asked("compute")).hasSize(2);
        assertThat(small.logins()).isEqualTo(2);
    }

    @Test
    void a_wrong_password_is_denied_and_absent_from_the_message() {
        cloud = cloud(Map.of("password", "a wrong one"));

        CloudFailure failure = failureOf(AGGREGATES);

        assertThat(failure.fault())
                .isEqualTo(
                        new Fault(
                                Kind.DENIED,
                                "Keystone answered 401 to the engine's login\n"
                                        + "Its user is leasehold"));
    }

    @Test
    void only_operators_see_the_user_of_the_login() {
        cloud = cloud(Map.of("password", "a wrong one"));

        assertThat(failureOf(AGGREGATES).fault().forHolder().message())
                .isEqualTo("Keystone answered 401 to the engine's login");
    }

    @Test
    void the_message_of_a_service_becomes_one_line_for_operators() {
        small.answer(
                "compute",
                request -> Said.json(409, Map.of("anyName", Map.of("message", "Too hot.\nWait."))));

        Fault fault = failureOf(CloudRequest.post("compute", "/os-aggregates", Map.of())).fault();

        assertThat(fault.message().lines()).hasSize(2);
        assertThat(fault.message()).contains("Too hot. Wait.");
    }

    @Test
    void a_refused_login_is_not_repeated_before_a_pause() {
        cloud = cloud(Map.of("password", "a wrong one"));
        Cloud ofAnotherPlugin = cloud(Map.of("password", "a wrong one", "call-timeout", "1m"));
        Fault refusal = failureOf(AGGREGATES).fault();

        assertThat(refusal.kind()).isEqualTo(Fault.Kind.DENIED);
        // They sent no request: Keystone may decide otherwise by now.
        Fault remembered = new Fault(Fault.Kind.RETRYABLE, refusal.message());
        assertThat(failureOf(AGGREGATES).fault()).isEqualTo(remembered);
        assertThat(failureOf(ofAnotherPlugin, AGGREGATES).fault()).isEqualTo(remembered);
        assertThat(small.logins()).isEqualTo(1);
        ofAnotherPlugin.close();
    }

    @Test
    void the_pauses_after_refused_logins_grow_to_a_minute() {
        cloud = cloud(Map.of("password", "a wrong one"));
        failureOf(AGGREGATES);

        int logins = 1;
        for (int pause : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            clock.putForward(Duration.ofSeconds(pause).minusMillis(1));
            failureOf(AGGREGATES);
            assertThat(small.logins()).isEqualTo(logins);
            clock.putForward(Duration.ofMillis(1));
            failureOf(AGGREGATES);
            logins++;
            assertThat(small.logins()).isEqualTo(logins);
        }
    }

    @Test
    void an_accepted_login_ends_the_pauses() {
        small.answer("compute", request -> Said.json(200, Map.of()));
        small.keystone(request -> Said.nothing(401));
        failureOf(AGGREGATES);
        clock.putForward(Duration.ofSeconds(1));
        failureOf(AGGREGATES);
        small.keystone(null);

        assertThat(failureOf(AGGREGATES).status()).isEqualTo(401);
        clock.putForward(Duration.ofSeconds(2));
        assertThat(cloud.rest().send(AGGREGATES).status()).isEqualTo(200);

        small.forgetLogins();
        assertThat(cloud.rest().send(AGGREGATES).status()).isEqualTo(200);
    }

    @Test
    void a_refused_login_with_a_trust_does_not_delay_the_engine_login() {
        small.answer("compute", request -> Said.json(200, Map.of()));
        Cloud revoked = cloud.as(new TrustId("revoked"));

        assertThat(failureOf(revoked, AGGREGATES).status()).isEqualTo(401);
        assertThat(failureOf(cloud.as(new TrustId("revoked")), AGGREGATES).status()).isEqualTo(401);

        assertThat(small.logins()).isEqualTo(1);
        assertThat(cloud.rest().send(AGGREGATES).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "400, PERMANENT",
        "401, DENIED",
        "403, DENIED",
        "404, PERMANENT",
        "409, RETRYABLE",
        "429, RETRYABLE",
        "500, RETRYABLE",
        "502, RETRYABLE",
        "503, RETRYABLE"
    })
    void a_failure_has_a_kind_and_the_reason_of_the_service(int status, Kind kind) {
        small.answer(
                "compute",
                request -> Said.json(status, Map.of("anyName", Map.of("message", "Too hot."))));

        CloudFailure rest = failureOf(AGGREGATES);
        assertThat(rest.status()).isEqualTo(status);
        assertThat(rest.fault())
                .isEqualTo(
                        new Fault(
                                kind,
                                "compute answered %s\nThe request was GET /os-aggregates: Too hot. (req-of-the-test)"
                                        .formatted(status)));
        assertHolderReads(rest, "compute answered " + status);

        CloudFailure deleted =
                catchThrowableOfType(
                        CloudFailure.class,
                        () ->
                                cloud.call(
                                        "compute",
                                        client -> client.compute().hostAggregates().delete("7")));
        assertThat(deleted.status()).isEqualTo(status);
        assertThat(deleted.fault().kind()).isEqualTo(kind);
        assertThat(deleted.fault().message()).contains("Too hot.");
        assertHolderReads(deleted, "compute answered " + status);
    }

    @ParameterizedTest
    @CsvSource({"409, 2", "429, 2", "500, 2", "503, 2", "400, 1", "403, 1", "404, 1"})
    void a_read_is_retried_once_after_a_retryable_failure(int status, int times) {
        Iterator<Said> answers =
                List.of(Said.nothing(status), Said.json(200, Map.of("a", 1))).iterator();
        small.answer("compute", request -> answers.next());

        if (times == 1) {
            assertThat(failureOf(AGGREGATES).status()).isEqualTo(status);
        } else {
            assertThat(cloud.rest().send(AGGREGATES).body().path("a").asInt()).isEqualTo(1);
        }
        assertThat(small.asked("compute")).hasSize(times);
    }

    @Test
    void a_failed_write_is_not_retried() {
        small.answer("compute", request -> Said.nothing(503));

        failureOf(CloudRequest.post("compute", "/os-aggregates", Map.of()));
        failureOf(CloudRequest.delete("compute", "/os-aggregates/7"));

        assertThat(small.asked("compute")).hasSize(2);
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
    void a_timeout_of_a_service_is_retryable() {
        cloud = cloud(Map.of("call-timeout", "2s"));
        small.answer("compute", request -> small.hang());

        assertThat(failureOf(AGGREGATES).fault())
                .isEqualTo(
                        new Fault(
                                Kind.RETRYABLE,
                                "compute did not answer within PT2S\n"
                                        + "The request was GET /os-aggregates of compute"));
        assertThat(failureOfList().fault().kind()).isEqualTo(Kind.RETRYABLE);
    }

    @Test
    void an_incomplete_answer_is_a_retryable_failure() {
        cloud = cloud(Map.of("call-timeout", "500ms"));
        small.answer("compute", request -> Said.theBeginningOf(Map.of("aggregates", List.of())));

        assertThat(failureOf(AGGREGATES).fault().kind()).isEqualTo(Kind.RETRYABLE);
        assertThat(failureOfList().fault().kind()).isEqualTo(Kind.RETRYABLE);
    }

    @Test
    void a_broken_connection_is_a_retryable_failure() {
        small.answer(
                "compute",
                request -> {
                    throw new IOException("the connection is cut");
                });

        CloudFailure failure = failureOf(AGGREGATES);
        assertThat(failure.fault().kind()).isEqualTo(Kind.RETRYABLE);
        assertThat(failure.status()).isEqualTo(CloudFailure.NO_ANSWER);
        assertHolderReads(failure, "compute did not answer");
        assertThat(failureOfList().fault().kind()).isEqualTo(Kind.RETRYABLE);
    }

    @Test
    void an_answer_without_json_is_a_failure() {
        small.answer("compute", request -> new Said(200, "text/html", "<p>Sorry, later</p>"));

        assertThat(failureOf(AGGREGATES).fault().kind()).isEqualTo(Kind.RETRYABLE);
        assertHolderReads(
                failureOf(AGGREGATES), "compute answered 200 with something that is not JSON");
        assertThat(failureOfList().fault().kind()).isEqualTo(Kind.RETRYABLE);

        small.answer("compute", request -> new Said(502, "text/html", "<p>Bad gateway</p>"));

        assertThat(failureOf(AGGREGATES).status()).isEqualTo(502);
    }

    @Test
    void an_unavailable_keystone_is_a_retryable_failure() {
        small.keystone(request -> Said.nothing(503));
        assertThat(failureOf(AGGREGATES).fault().kind()).isEqualTo(Kind.RETRYABLE);

        small.keystone(request -> Said.json(201, Map.of("token", Map.of())));
        assertThat(failureOf(AGGREGATES).fault().kind()).isEqualTo(Kind.RETRYABLE);

        small.keystone(null);
        small.answer("compute", request -> Said.json(200, Map.of()));
        assertThat(cloud.rest().send(AGGREGATES).status()).isEqualTo(200);
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

    @Test
    void an_explained_failure_keeps_the_service_message_for_operators() {
        small.answer(
                "compute",
                request -> Said.json(403, Map.of("forbidden", Map.of("message", "Not server-7"))));

        CloudFailure explained =
                failureOf(AGGREGATES).withExplanation(Kind.DENIED, "The group cannot be made");

        assertHolderReads(explained, "The group cannot be made: compute answered 403");
        assertThat(explained.fault().message()).contains("Not server-7");
        assertThat(explained.status()).isEqualTo(403);
    }

    private static void assertHolderReads(CloudFailure failure, String message) {
        assertThat(failure.fault().forHolder().message()).isEqualTo(message);
    }

    private HostAggregate aggregate() {
        return cloud.call("compute", client -> client.compute().hostAggregates().get("7"));
    }

    private CloudFailure failureOf(CloudRequest request) {
        return failureOf(cloud, request);
    }

    private static CloudFailure failureOf(Cloud cloud, CloudRequest request) {
        return catchThrowableOfType(CloudFailure.class, () -> cloud.rest().send(request));
    }

    private CloudFailure failureOfList() {
        return catchThrowableOfType(
                CloudFailure.class,
                () -> cloud.call("compute", client -> client.compute().hostAggregates().list()));
    }

    private Cloud cloud(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(small.settings());
        settings.put("region", "one");
        settings.putAll(more);
        return new Cloud(CloudSettings.of(settings), clock);
    }
}
