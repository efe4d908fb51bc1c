package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;

import java.util.List;

class LeaseViewCodecTest {

    private final LeaseViewCodec codec = new LeaseViewCodec(EventJson.mapper());

    private static LeaseView lease(String name) {
        return new LeaseView(
                LeaseFixtures.lease(1),
                LeaseFixtures.ASTRONOMY,
                LeaseFixtures.ADA,
                name,
                LeaseStatus.PENDING,
                LeaseFixtures.PERIOD,
                null,
                null,
                List.of(),
                List.of(),
                LeaseFixtures.NOON,
                null,
                1,
                null,
                null);
    }

    @Test
    void a_decoded_lease_equals_the_encoded_one() {
        assertThat(codec.decode(codec.encode(lease("a")))).isEqualTo(lease("a"));
    }

    @Test
    void an_unchanged_text_yields_the_same_object() {
        assertThat(codec.decode(codec.encode(lease("a"))))
                .isSameAs(codec.decode(codec.encode(lease("a"))));
    }

    @Test
    void a_changed_text_yields_the_changed_lease() {
        assertThat(codec.decode(codec.encode(lease("a")))).isEqualTo(lease("a"));
        assertThat(codec.decode(codec.encode(lease("b")))).isEqualTo(lease("b"));
    }
}
