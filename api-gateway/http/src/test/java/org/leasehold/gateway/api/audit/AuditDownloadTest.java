package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.export.Csv;
import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Tests downloads of a search, as CSV and as JSON lines. */
@ApiTest
class AuditDownloadTest extends AuditRoutesFixture {

    @Test
    void a_search_can_be_downloaded_as_json_lines_across_all_pages() {
        for (int i = 0; i < 4; i++) {
            lease("LeaseRenamed", "{}");
        }

        Answer answer = as("auditor", LINES, "?user=ada");

        assertThat(answer.header("Content-Type")).startsWith(LINES);
        JsonMapper json = new JsonMapper();
        assertThat(answer.response().body().lines())
                .extracting(line -> json.readTree(line).path("position").asInt())
                .containsExactly(5, 4, 3, 2, 1);
        assertThat(answer.response().body()).endsWith("\n");
    }

    @Test
    void a_search_can_be_downloaded_as_csv() {
        trail.happened(
                "Lease",
                LEASE.toString(),
                "LeaseRenamed",
                REQUEST,
                null,
                "=HYPERLINK(\"x\"),\nnow",
                "{\"name\": \"n\"}");

        labels.add(
                LEASE, new LeaseLabel("nightly", new ProjectId("p1"), new UserId("ada"), Map.of()));
        labels.add(new ResourceId(7), new ResourceLabel("compute-7", "east"));

        Answer answer = as("auditor", CSV, "");

        assertThat(answer.header("Content-Type")).startsWith(CSV);
        assertThat(answer.response().body())
                .isEqualTo(
                        """
                        position,event_id,recorded_at,decided_at,type,subject_type,subject,project_id,user_id,user_project_id,roles,authentication,request_id,causation,reason,details,address,agent,lease_name,resource_name,resource_zone
                        2,00000000-0000-0000-0000-000000000002,2026-11-21T00:33:32Z,2026-11-21T00:33:30Z,LeaseRenamed,lease,%s,p1,ada,p2,member reader,basic,%s,,"'=HYPERLINK(""x""),|now","{""name"":""n""}",,,nightly,,
                        1,00000000-0000-0000-0000-000000000001,2026-11-21T00:33:31Z,2026-11-21T00:33:30Z,ResourceEnabled,resource,7,-,ada,p2,member reader,basic,,,,"{""resourceId"":7}",,,,compute-7,east
                        """
                                .formatted(LEASE, REQUEST)
                                .replace("\n", "\r\n")
                                .replace('|', '\n'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain | plain",
                "a,b | `\"a,b\"`",
                "say \"so\" | `\"say \"\"so\"\"\"`",
                "=1+1 | '=1+1",
                "+1 | '+1",
                "-1 | '-1",
                "@sum | '@sum",
                "- | -",
                "a=b | a=b",
                "#1 | #1",
                "a text of more than 24 characters | a text of more than 24 characters",
            })
    void a_csv_cell_is_quoted_and_never_a_formula(String value, String cell) {
        assertThat(Csv.line(Stream.of(value))).isEqualTo(cell + "\r\n");
    }

    @Test
    void a_formula_after_whitespace_is_escaped_in_csv() {
        assertThat(Csv.line(Stream.of("\t=1"))).isEqualTo("'\t=1\r\n");
        assertThat(Csv.line(Stream.of("\r=1"))).isEqualTo("\"'\r=1\"\r\n");
        assertThat(Csv.line(Stream.of("a\nb"))).isEqualTo("\"a\nb\"\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {CSV, LINES})
    void an_invalid_download_request_answers_with_an_error(String accept) {
        Answer answer = as("auditor", accept, "?kind=nonsense");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.isProblem()).isTrue();
        assertThat(as("auditor", accept, "?limit=5").names("limit")).isTrue();
        assertThat(as("planner", accept, "").status()).isEqualTo(403);
    }

    @Test
    void a_failed_download_aborts_the_response() {
        // As much as is sent before the response is complete.
        lease("LeaseRenamed", "{\"name\": \"%s\"}".formatted("x".repeat(100_000)));
        lease("LeaseRenamed", "{}");
        for (int i = 0; i <= LongResponseLimiter.MAX_CONCURRENT; i++) {
            assertThatThrownBy(() -> as("auditor", LINES, "?user=broken"))
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    @Timeout(60)
    void a_third_concurrent_download_answers_503() throws Exception {
        try (ExecutorService others =
                Executors.newFixedThreadPool(LongResponseLimiter.MAX_CONCURRENT)) {
            Callable<Answer> slow = () -> as("auditor", CSV, "?user=slow");
            List<Future<Answer>> two = List.of(others.submit(slow), others.submit(slow));
            trail.begun.await();

            Answer third = as("admin", CSV, "");
            trail.goOn.countDown();

            assertThat(third.status()).isEqualTo(503);
            assertThat(third.json().path("type").asString()).isEqualTo("/problems/busy");
            for (Future<Answer> answer : two) {
                assertThat(answer.get().status()).isEqualTo(200);
            }
        }
        assertThat(as("admin", CSV, "").status()).isEqualTo(200);
    }
}
