package org.leasehold.gateway.api.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.gateway.api.export.LongResponseLimiter.Slot;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.Set;

class LongResponseLimiterTest {

    private final LongResponseLimiter limiter = new LongResponseLimiter("exports are made");

    private static Caller caller(String project, Role role) {
        return new Caller(
                new UserId("u-1"), "ada", new ProjectId(project), project, Set.of(role), "basic");
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
        Slot first = limiter.acquire(caller("p1", Role.MEMBER));
        assertBusy(
                () -> limiter.acquire(caller("p1", Role.READER)),
                "No two exports are made for one project on a node at once");
        limiter.acquire(caller("p2", Role.MEMBER));

        first.close();

        limiter.acquire(caller("p1", Role.READER));
    }

    @Test
    void all_projects_share_two_slots() {
        limiter.acquire(caller("p1", Role.MEMBER));
        limiter.acquire(caller("p2", Role.MEMBER));
        assertBusy(
                () -> limiter.acquire(caller("p3", Role.MEMBER)),
                "At most 2 exports are made for single projects on a node at once");
    }

    @ParameterizedTest
    @EnumSource(names = {"ADMIN", "AUDITOR", "PLANNER", "BILLER"})
    void roles_for_all_projects_have_separate_slots(Role role) {
        limiter.acquire(caller("p1", Role.MEMBER));
        limiter.acquire(caller("p2", Role.MEMBER));

        limiter.acquire(caller("p1", role));
        Slot second = limiter.acquire(caller("p1", role));
        assertBusy(
                () -> limiter.acquire(caller("p1", role)),
                "At most 2 exports are made on a node at once");
        second.close();
        limiter.acquire(caller("p1", role));
    }
}
