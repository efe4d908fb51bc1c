package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.gateway.api.usage.SampleCharges.fee;
import static org.leasehold.gateway.api.usage.SampleCharges.usage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The sums of charges by lease or project. */
@ApiTest
class ChargeSumsTest extends ChargeRoutesFixture {

    @Test
    void sums_by_lease_or_project_have_no_lines_and_the_totals_of_the_window() {
        LeaseId first = new LeaseId(new UUID(1, 1));
        LeaseId second = new LeaseId(new UUID(1, 2));
        ProjectId project = new ProjectId("astronomy");
        charges.add(new LeaseCharges(first, project, List.of(fee(), usage(TO))));
        charges.add(new LeaseCharges(second, project, List.of(fee())));
        labels.add(first, new LeaseLabel("nightly", project, new UserId("ada"), Map.of()));

        Answer byLease = client.get("biller", "/api/charges?by=lease&limit=1&" + WINDOW);
        Answer byProject = client.get("biller", "/api/charges?by=project&" + WINDOW);
        Answer withoutLines = client.get("biller", "/api/charges?lines=false&limit=1&" + WINDOW);

        assertThat(byLease.json().path("leases").toString())
                .isEqualTo(
                        """
                        [{"lease_id":"%1$s","lease":"%1$s","project_id":"astronomy",\
                        "project":"astronomy","lines":[],\
                        "totals":[{"amount":"187.50","currency":"EUR"}],"lease_name":"nightly"}]\
                        """
                                .formatted(first));
        assertThat(byLease.json().path("totals").toString())
                .isEqualTo("[{\"amount\":\"189.00\",\"currency\":\"EUR\"}]");
        String link = byLease.header("Link");
        Answer rest = client.get("biller", link.substring(1, link.indexOf('>')));
        assertThat(rest.json().at("/leases/0/lease").asString()).isEqualTo(second.toString());
        assertThat(rest.json().path("totals")).isEqualTo(byLease.json().path("totals"));
        assertThat(rest.json().path("next").isNull()).isTrue();
        assertThat(byProject.json().toString())
                .isEqualTo(
                        """
                        {"leases":[],"next":null,"projects":[{"project_id":"astronomy","leases":2,\
                        "totals":[{"amount":"189.00","currency":"EUR"}]}],\
                        "totals":[{"amount":"189.00","currency":"EUR"}]}\
                        """);
        assertThat(withoutLines.json()).isEqualTo(byLease.json());
    }

    @Test
    void a_member_sees_no_sums_of_another_project() {
        charges.add(new LeaseCharges(new LeaseId(R.value()), new ProjectId("p2"), List.of(fee())));

        for (String by : List.of("lease", "project")) {
            Answer others = client.get("member", "/api/charges?project=p2&by=" + by);
            assertThat(others.json().path("leases")).isEmpty();
            assertThat(others.json().path("projects")).isEmpty();
            assertThat(others.json().path("totals")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "by=user, by",
        "lines=perhaps, lines",
        "by=lease&marker=nonsense, marker",
        "by=project&marker=nonsense, marker"
    })
    void an_invalid_parameter_of_sums_is_rejected(String query, String field) {
        Answer refused = client.get("biller", "/api/charges?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }
}
