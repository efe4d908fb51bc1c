package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.lease.LeaseRejection;

import java.time.Duration;

/** Tests the errors of a lease beyond the maximum duration. */
class LeaseDurationEndpointTest extends V1TestServer {

    private static final LeaseRejection TOO_LONG =
            new LeaseRejection.LeaseTooLong(Duration.ofDays(2), Duration.ofDays(1));

    private static final String MESSAGE =
            "Lease duration of 172800 seconds must be less than or equal to the maximum lease"
                    + " duration of 86400 seconds.";

    @Test
    void a_creation_beyond_the_maximum_duration_gets_403() {
        engine.rejectNext(TOO_LONG);

        Answer answer = post("member", "/v1/leases", LEASE);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.message()).isEqualTo(MESSAGE);
    }

    @Test
    void a_change_beyond_the_maximum_duration_gets_400() {
        String id = leaseOf("member");
        engine.rejectNext(TOO_LONG);

        Answer answer = put("member", "/v1/leases/" + id, "{\"name\": \"other\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(MESSAGE);
        assertThat(answer.json().path("error_code").asInt()).isEqualTo(400);
    }
}
