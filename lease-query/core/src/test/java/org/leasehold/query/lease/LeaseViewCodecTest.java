package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;

import java.util.List;

class LeaseViewCodecTest {

    private final LeaseViewCodec codec = new LeaseViewCodec(EventJson.mapper());

    private static LeaseView lease(String name) {
        return new LeaseView(
                Lives.lease(1),
                Lives.ASTRONOMY,
                Lives.ADA,
                name,
                LeaseStatus.PENDING,
                Lives.PERIOD,
                null,
                null,
                List.of(),
                List.of(),
                Lives.NOON,
                null,
                1);
    }

    @Test
    void a_lease_survives_its_stored_form() {
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
