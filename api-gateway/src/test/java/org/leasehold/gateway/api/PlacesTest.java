package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.gateway.api.Places.Place;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.util.Set;

class PlacesTest {

    private final Places places = new Places("exports are made");

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
    void a_project_has_one_until_it_gives_it_back() {
        Place first = places.take(caller("p1", Role.MEMBER));
        assertBusy(
                () -> places.take(caller("p1", Role.READER)),
                "No two exports are made for one project on a node at once");
        places.take(caller("p2", Role.MEMBER));

        first.close();

        places.take(caller("p1", Role.READER));
    }

    @Test
    void all_projects_together_have_no_more_than_there_are() {
        places.take(caller("p1", Role.MEMBER));
        places.take(caller("p2", Role.MEMBER));
        assertBusy(
                () -> places.take(caller("p3", Role.MEMBER)),
                "At most 2 exports are made for single projects on a node at once");
    }

    @ParameterizedTest
    @EnumSource(names = {"ADMIN", "AUDITOR", "PLANNER", "BILLER"})
    void whatever_members_do_who_sees_all_projects_has_a_place(Role role) {
        places.take(caller("p1", Role.MEMBER));
        places.take(caller("p2", Role.MEMBER));

        places.take(caller("p1", role));
        Place second = places.take(caller("p1", role));
        assertBusy(
                () -> places.take(caller("p1", role)),
                "At most 2 exports are made on a node at once");
        second.close();
        places.take(caller("p1", role));
    }
}
