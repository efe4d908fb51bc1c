package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Long lists, page by page; without parameters a list is complete, as in Blazar. */
class V1PaginationTest extends V1TestServer {

    private static final Pattern NEXT = Pattern.compile("<(http://[^>]*)>; rel=\"next\"");

    @Autowired RecordedActivity activity;

    private List<String> fiveLeases() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(leaseOf("member"));
        }
        return ids;
    }

    @Test
    void a_limit_lists_the_leases_in_pages() {
        List<String> ids = fiveLeases();
        assertThat(pages("member", "/v1/leases?limit=2", "leases", "id"))
                .containsExactly(ids.subList(0, 2), ids.subList(2, 4), ids.subList(4, 5));
        assertThat(pages("member", "/v1/leases?limit=5", "leases", "id")).containsExactly(ids);
        assertThat(pages("member", "/v1/leases", "leases", "id")).containsExactly(ids);
    }

    @Test
    void only_a_long_list_without_a_limit_gives_way_to_the_engine() {
        for (int i = 0; i < 1_001; i++) {
            leaseOf("member");
        }
        activity.takeQuestions();

        get("member", "/v1/leases?limit=1000");
        assertThat(activity.takeQuestions()).isZero();
        get("member", "/v1/leases");
        assertThat(activity.takeQuestions()).isEqualTo(2);
    }

    @Test
    void leases_can_be_listed_newest_first() {
        List<String> newestFirst = fiveLeases().reversed();
        String query = "?sort_key=created_at&sort_dir=desc";
        assertThat(pages("member", "/v1/leases" + query, "leases", "id"))
                .containsExactly(newestFirst);
        assertThat(pages("member", "/v1/leases" + query + "&limit=3", "leases", "id"))
                .containsExactly(newestFirst.subList(0, 3), newestFirst.subList(3, 5));
    }

    @Test
    void a_marker_without_a_limit_lists_all_following_leases() {
        List<String> ids = fiveLeases();
        assertThat(pages("member", "/v1/leases?marker=" + ids.get(2), "leases", "id"))
                .containsExactly(ids.subList(3, 5));
    }

    @Test
    void a_filter_by_name_and_status_applies_to_the_next_page_too() {
        String name = "a&b=c {x} %41 é";
        String body = LEASE.replace("nightly-build", name);
        List<String> named = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            leaseOf("member");
            named.add(post("member", "/v1/leases", body).json().at("/lease/id").asString());
        }
        String query = "?status=PENDING&limit=1&name=" + encoded(name);
        assertThat(pages("member", "/v1/leases" + query, "leases", "id"))
                .containsExactly(named.subList(0, 1), named.subList(1, 2));
        assertThat(pages("member", "/v1/leases?status=ACTIVE", "leases", "id"))
                .containsExactly(List.of());
    }

    @Test
    void a_marker_of_another_project_answers_400() {
        String others = leaseOf("other");
        Answer answer = get("member", "/v1/leases?marker=" + others);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).startsWith("Malformed parameter marker");
        assertThat(answer.json().path("error_code").asInt()).isEqualTo(400);
    }

    @Test
    void hosts_and_allocations_are_listed_in_pages() {
        for (int i = 1; i <= 3; i++) {
            post("admin", "/v1/os-hosts", "{\"name\": \"compute-" + i + "\"}");
        }
        assertThat(pages("admin", "/v1/os-hosts?limit=2", "hosts", "id"))
                .containsExactly(List.of("1", "2"), List.of("3"));
        assertThat(pages("admin", "/v1/os-hosts?sort_dir=desc&limit=2", "hosts", "id"))
                .containsExactly(List.of("3", "2"), List.of("1"));
        assertThat(pages("admin", "/v1/os-hosts?hypervisor_hostname=compute-2", "hosts", "id"))
                .containsExactly(List.of("2"));
        String allocations = "/v1/os-hosts/allocations?limit=2&sort_key=resource_id";
        assertThat(pages("admin", allocations, "allocations", "resource_id"))
                .containsExactly(List.of("1", "2"), List.of("3"));
    }

    /** Returns the values of one field in each page, as far as links lead. */
    private List<List<String>> pages(String user, String path, String list, String field) {
        List<List<String>> pages = new ArrayList<>();
        String next = path;
        while (next != null) {
            Answer answer = get(user, next);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            pages.add(
                    answer.json()
                            .path(list)
                            .valueStream()
                            .map(item -> item.path(field).asString())
                            .toList());
            Matcher link = NEXT.matcher(answer.header("Link"));
            next = link.matches() ? link.group(1).replaceFirst("http://[^/]*", "") : null;
        }
        return pages;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
