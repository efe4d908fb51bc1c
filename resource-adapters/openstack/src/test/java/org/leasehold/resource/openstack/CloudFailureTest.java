package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.lease.Fault;
import org.leasehold.lease.Fault.Kind;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The kinds and the messages of failed requests, and their retries. */
class CloudFailureTest extends CloudFixture {

    @Test
    void the_message_of_a_service_becomes_one_line_for_operators() {
        small.answer(
                "compute",
                request -> Said.json(409, Map.of("anyName", Map.of("message", "Too hot.\nWait."))));

        Fault fault = failureOf(CloudRequest.post("compute", "/os-aggregates", Map.of())).fault();

        assertThat(fault.message().lines()).hasSize(2);
        assertThat(fault.message()).contains("Too hot. Wait.");
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

    private static void assertHolderReads(CloudFailure failure, String message) {
        assertThat(failure.fault().forHolder().message()).isEqualTo(message);
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

    private CloudFailure failureOfList() {
        return catchThrowableOfType(
                CloudFailure.class,
                () -> cloud.call("compute", client -> client.compute().hostAggregates().list()));
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
}
