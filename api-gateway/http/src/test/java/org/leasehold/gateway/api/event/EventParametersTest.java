package org.leasehold.gateway.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;

import java.util.List;

/** The rejections of invalid parameters of event routes. */
@ApiTest
class EventParametersTest extends ApiEventsFixture {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?after=-1",
                "?after=x",
                "?limit=0",
                "?limit=1001",
                "?wait=PT31S",
                "?wait=-PT1S",
                "?types=a;b",
                "?nothing=1"
            })
    void an_invalid_parameter_answers_400(String query) {
        Answer answer = client.get("member", FEED + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.isProblem()).isTrue();
    }

    @Test
    void the_last_numbers_reject_query_parameters() {
        Answer answer = client.get("member", FEED + "/numbers?project=p2");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.isProblem()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"?after=900000000000000000", "?after=900000000000000000&wait=PT30S"})
    void a_position_beyond_the_last_event_answers_409(String query) throws Exception {
        for (String accept : List.of("application/json", "text/event-stream")) {
            String asked = accept.startsWith("text") ? query.replaceAll("&wait.*", "") : query;
            Answer answer =
                    client.send(client.request("member", FEED + asked).header("Accept", accept));

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.json().path("type").asString())
                    .isEqualTo("/problems/position-not-reached");
        }
        assertThat(send("member", "", "Last-Event-ID", "900000000000000000").statusCode())
                .isEqualTo(409);
    }

    @Test
    void an_unknown_type_is_rejected_with_a_list_of_known_types() {
        Answer answer = client.get("admin", FEED + "?types=LeaseEnded,LeaseFinished");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.names("types")).isTrue();
        assertThat(answer.json().path("detail").asString())
                .contains("LeaseDeleted, LeaseEndAnnounced, LeaseEnded");
    }

    @Test
    void an_invalid_last_event_id_answers_400() throws Exception {
        assertThat(send("member", "", "Last-Event-ID", "x").statusCode()).isEqualTo(400);
    }
}
