package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.BodyBudget.Room;
import org.leasehold.gateway.limits.BodyBudget.Share;

class BodyBudgetTest {

    private final BodyBudget budget = new BodyBudget(20, 30);

    @Test
    void an_owner_that_has_its_share_leaves_the_rest_to_others() {
        assertThat(budget.open("alice").grow(15)).isEqualTo(Room.TAKEN);

        assertThat(budget.open("alice").grow(6)).isEqualTo(Room.OWNER_HAS_ITS_SHARE);
        assertThat(budget.open("bob").grow(15)).isEqualTo(Room.TAKEN);
    }

    @Test
    void all_bodies_together_have_a_limit() {
        assertThat(budget.open("alice").grow(20)).isEqualTo(Room.TAKEN);

        assertThat(budget.open("bob").grow(11)).isEqualTo(Room.NONE_LEFT);
        assertThat(budget.open("bob").grow(10)).isEqualTo(Room.TAKEN);
    }

    @Test
    void a_body_that_is_served_gives_back_all_that_it_took() {
        try (Share share = budget.open("alice")) {
            assertThat(share.grow(10)).isEqualTo(Room.TAKEN);
            assertThat(share.grow(10)).isEqualTo(Room.TAKEN);
            assertThat(share.grow(1)).isEqualTo(Room.OWNER_HAS_ITS_SHARE);
        }

        assertThat(budget.open("alice").grow(20)).isEqualTo(Room.TAKEN);
        assertThat(budget.open("bob").grow(10)).isEqualTo(Room.TAKEN);
    }
}
