package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.context.TestPropertySource;

/** Tests the properties of hosts on {@code /v1}, opened to projects by the setting. */
@TestPropertySource(properties = "leasehold.gateway.blazar.open-properties=true")
class OpenHostPropertiesTest extends V1TestServer {

    private static final String PROPERTIES = "/v1/os-hosts/properties";

    @ParameterizedTest
    @CsvSource({
        "reader, 200",
        "member, 200",
        "other, 200",
        "admin, 200",
        "auditor, 200",
        "planner, 200",
        "biller, 403"
    })
    void projects_may_list_the_properties_of_hosts(String user, int status) {
        assertThat(get(user, PROPERTIES).status()).isEqualTo(status);
        assertThat(get(user, "/v1/os-hosts").status())
                .isEqualTo(user.equals("planner") || user.startsWith("a") ? 200 : 403);
    }

    @Test
    void a_hidden_property_stays_hidden_from_projects() {
        post(
                "admin",
                "/v1/os-hosts",
                "{\"name\": \"compute-1\", \"gpu\": \"V100\", \"owner\": \"x\"}");
        send("admin", "PATCH", PROPERTIES + "/owner", "{\"private\": true}");

        for (String query : new String[] {"", "?all=1", "?detail=1", "?all=1&detail=1"}) {
            assertThat(get("member", PROPERTIES + query).response().body())
                    .as(query)
                    .contains("gpu")
                    .doesNotContain("owner");
        }
    }

    @Test
    void projects_change_no_property() {
        assertThat(send("member", "PATCH", PROPERTIES + "/gpu", "{\"private\": true}").status())
                .isEqualTo(403);
    }
}
