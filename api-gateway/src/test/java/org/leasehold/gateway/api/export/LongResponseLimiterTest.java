package org.leasehold.gateway.api.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.gateway.api.export.LongResponseLimiter.Place;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.Set;

class LongResponseLimiterTest {

    private final LongResponseLimiter places = new LongResponseLimiter("exports are made");

    private static Caller caller(String project, Role role) {
        return new Caller(
                new UserId("u-1"), new ProjectId(project), project, Set.of(role), "basic");
    }

    private static void assertBusy(ThrowingCallable taking, String why) {
        assertThatThrownBy(taking)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        busy -> {
                            assertThat(busy.problem().status()).isEqualTo(503);
                            assertThat(busy.problem().detail())
                                    .isEqualTo(why + "; try again later.");
                        });
    }

    @Test
    void a_project_has_one_slot_until_the_release() {
        Place first = places.acquire(caller("p1", Role.MEMBER));
        assertBusy(
                () -> places.acquire(caller("p1", Role.READER)),
                "No two exports are made for one project on a node at once");
        places.acquire(caller("p2", Role.MEMBER));

        first.close();

        places.acquire(caller("p1", Role.READER));
    }

    @Test
    void all_projects_share_two_slots() {
        places.acquire(caller("p1", Role.MEMBER));
        places.acquire(caller("p2", Role.MEMBER));
        assertBusy(
                () -> places.acquire(caller("p3", Role.MEMBER)),
                "At most 2 exports are made for single projects on a node at once");
    }

    @ParameterizedTest
    @EnumSource(names = {"ADMIN", "AUDITOR", "PLANNER", "BILLER"})
    void roles_for_all_projects_have_separate_slots(Role role) {
        places.acquire(caller("p1", Role.MEMBER));
        places.acquire(caller("p2", Role.MEMBER));

        places.acquire(caller("p1", role));
        Place second = places.acquire(caller("p1", role));
        assertBusy(
                () -> places.acquire(caller("p1", role)),
                "At most 2 exports are made on a node at once");
        second.close();
        places.acquire(caller("p1", role));
    }
}
