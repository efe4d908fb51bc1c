package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.BodyMemoryLimiter.Room;
import org.leasehold.gateway.limits.BodyMemoryLimiter.Share;

class BodyMemoryLimiterTest {

    private final BodyMemoryLimiter budget = new BodyMemoryLimiter(20, 30);

    @Test
    void an_owner_at_the_limit_leaves_memory_to_others() {
        assertThat(budget.open("alice").grow(15)).isEqualTo(Room.TAKEN);

        assertThat(budget.open("alice").grow(6)).isEqualTo(Room.OWNER_AT_LIMIT);
        assertThat(budget.open("bob").grow(15)).isEqualTo(Room.TAKEN);
    }

    @Test
    void all_bodies_together_have_a_limit() {
        assertThat(budget.open("alice").grow(20)).isEqualTo(Room.TAKEN);

        assertThat(budget.open("bob").grow(11)).isEqualTo(Room.NONE_LEFT);
        assertThat(budget.open("bob").grow(10)).isEqualTo(Room.TAKEN);
    }

    @Test
    void a_served_body_releases_all_reserved_memory() {
        try (Share share = budget.open("alice")) {
            assertThat(share.grow(10)).isEqualTo(Room.TAKEN);
            assertThat(share.grow(10)).isEqualTo(Room.TAKEN);
            assertThat(share.grow(1)).isEqualTo(Room.OWNER_AT_LIMIT);
        }

        assertThat(budget.open("alice").grow(20)).isEqualTo(Room.TAKEN);
        assertThat(budget.open("bob").grow(10)).isEqualTo(Room.TAKEN);
    }
}
