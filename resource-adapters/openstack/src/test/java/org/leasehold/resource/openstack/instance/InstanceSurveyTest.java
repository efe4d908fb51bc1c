package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The survey of reservations of instances. */
class InstanceSurveyTest extends OpenStackInstancesFixture {

    @Test
    void a_survey_finds_each_part_of_a_reservation_independently() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment whole = apart(new TrustId("trust-1"));
        acting.onStart(whole);
        String id = whole.reservation().toString();
        Assignment slots = assignment(slots("compute-1", 1), slots("compute-2", 1));
        acting.onStart(slots);
        nova.forgetGroup(slots.reservation().toString());
        nova.forgetFlavor(slots.reservation().toString());
        ReservationId flavor = new ReservationId(UUID.randomUUID());
        makeFlavor(flavor.toString(), "reservation:" + flavor, false);
        makeFlavor("1", "m1.small", true);
        ReservationId group = new ReservationId(UUID.randomUUID());
        nova.serverGroup("reservation:" + group, STRANGER);
        nova.serverGroup("reservation:of a table", STRANGER);

        Survey survey = acting.survey();

        assertThat(survey)
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        whole.reservation(),
                                        List.of(
                                                "flavor/" + id,
                                                "resource class/" + id,
                                                "server group/" + id,
                                                "aggregate/" + id,
                                                "host/" + FakeNova.serviceOf("compute-1"),
                                                "host/" + FakeNova.serviceOf("compute-2"),
                                                "slots/compute-1/1",
                                                "slots/compute-2/1"),
                                        slots.reservation(),
                                        List.of(
                                                "resource class/" + slots.reservation(),
                                                "slots/compute-1/1",
                                                "slots/compute-2/1"),
                                        flavor,
                                        List.of("flavor/" + flavor),
                                        group,
                                        List.of("server group/" + group))));
    }

    @Test
    void a_survey_goes_on_when_a_flavor_is_deleted_while_it_reads() {
        for (String id : List.of("1", "2", "3")) {
            makeFlavor(id, "m1." + id, true);
        }
        nova.flee("2");
        // After the others, so that the deleted one is the last of a page.
        ReservationId last =
                ReservationId.find("f0000000-0000-4000-8000-000000000000").orElseThrow();
        Assignment assignment = assignment(last, List.of(slots("compute-1", 1)), () -> true);
        acting.onStart(assignment);

        assertThat(acting.survey())
                .isInstanceOfSatisfying(
                        Survey.Seen.class,
                        seen ->
                                assertThat(seen.things())
                                        .containsOnlyKeys(assignment.reservation()));
        assertThat(nova.flavors()).doesNotContain("2");
    }

    @Test
    void an_empty_slot_provider_belongs_to_no_reservation() {
        Assignment assignment = assignment(slots("compute-1", 1));
        acting.onStart(assignment);
        acting.onEnd(assignment);

        assertThat(nova.placement().names()).contains("blazar_compute-1");
        assertThat(acting.survey()).isEqualTo(new Survey.Seen(Map.of()));
    }

    private void makeFlavor(String id, String name, boolean open) {
        nova.makeFlavor(
                id,
                Map.of(
                        "name", name,
                        "vcpus", 1,
                        "ram", 512,
                        "disk", 1,
                        "os-flavor-access:is_public", open));
    }
}
