package org.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Texts of exceptions and logs contain these objects. */
class SecretParametersTest {

    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));
    private static final Map<String, @Nullable Object> PARAMETERS =
            Map.of("parameters", Map.of("password", "t0p-s3cret"));

    @Test
    void the_text_of_a_request_omits_the_values_of_parameters() {
        ReservationWish wish = new ReservationWish(RESERVATION, ResourceKind.STACK, PARAMETERS);
        LeasePeriod period = new LeasePeriod(Instant.EPOCH, Instant.EPOCH.plusSeconds(1));
        for (Object said :
                List.of(
                        wish,
                        new ReservationChange(RESERVATION, PARAMETERS),
                        new ReservationChanged(LEASE, RESERVATION, PARAMETERS),
                        new ReservationAdded(LEASE, wish),
                        new LeaseRequested(
                                LEASE,
                                new ProjectId("p"),
                                new UserId("u"),
                                "mine",
                                period,
                                null,
                                List.of(wish),
                                null))) {
            assertThat(said.toString())
                    .contains(RESERVATION.toString())
                    .doesNotContain("t0p-s3cret");
        }
    }
}
