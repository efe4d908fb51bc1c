package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.lease.Fault.Kind;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.vocabulary.TrustId;
import org.openstack4j.model.compute.HostAggregate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** The logins of the engine, and the pauses after a refused login. */
class CloudLoginTest extends CloudFixture {

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

    private HostAggregate aggregate() {
        return cloud.call("compute", client -> client.compute().hostAggregates().get("7"));
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
}
