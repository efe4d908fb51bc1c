package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;

import java.util.List;
import java.util.Set;

/** The resources that are disabled, by operators or by a reported outage. */
class ResourceOutagesTest extends ResourceDeciderFixture {

    @Test
    void disabling_names_each_affected_lease_once() {
        ResourceConstraints reserved =
                standing(
                        new Reliance(WEEKLY, Set.of()),
                        new Reliance(NIGHTLY, Set.of("gpu")),
                        new Reliance(WEEKLY, Set.of("gpu")));

        assertThat(decide(reserved, new DisableResource(ID, "broken fan"), ENROLLED))
                .isEqualTo(
                        accepted(new ResourceDisabled(ID, "broken fan", List.of(WEEKLY, NIGHTLY))));
    }

    @Test
    void disabling_again_for_the_same_reason_does_nothing() {
        assertThat(decide(FREE, new DisableResource(ID, "broken fan"), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted());
    }

    @Test
    void an_outage_report_disables_or_enables_a_resource() {
        ResourceDisabled down =
                new ResourceDisabled(ID, "The cloud: down", List.of(), OutageExtent.DOWN);
        ResourceDisabled closed =
                new ResourceDisabled(ID, "The cloud: closed", List.of(), OutageExtent.CLOSED);

        assertThat(decide(FREE, new ReportOutage(ID, Outage.down("down")), ENROLLED))
                .isEqualTo(accepted(down));
        assertThat(decide(FREE, new ReportOutage(ID, Outage.down("down")), ENROLLED, down))
                .isEqualTo(accepted());
        assertThat(decide(FREE, new ReportOutage(ID, Outage.closed("closed")), ENROLLED, down))
                .isEqualTo(accepted(closed));
        assertThat(decide(FREE, new ReportOutage(ID, null), ENROLLED, down))
                .isEqualTo(accepted(new ResourceEnabled(ID)));
        assertThat(decide(FREE, new ReportOutage(ID, null), ENROLLED)).isEqualTo(accepted());
    }

    @Test
    void an_outage_report_does_not_change_a_manually_disabled_resource() {
        assertThat(decide(FREE, new ReportOutage(ID, Outage.down("down")), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted());
        assertThat(decide(FREE, new ReportOutage(ID, null), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted());
    }

    @Test
    void a_disabled_resource_can_be_given_another_reason() {
        ResourceDisabled again = new ResourceDisabled(ID, "no spare part", List.of());

        assertThat(decide(FREE, new DisableResource(ID, "no spare part"), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted(again));
        assertThat(
                        decide(
                                FREE,
                                new DisableResource(ID, "no spare part"),
                                ENROLLED,
                                IN_REPAIR,
                                again))
                .isEqualTo(accepted());
    }

    @Test
    void a_disabled_resource_is_enabled_once() {
        ResourceEnabled enabled = new ResourceEnabled(ID);

        assertThat(decide(FREE, new EnableResource(ID), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted(enabled));
        assertThat(decide(FREE, new EnableResource(ID), ENROLLED, IN_REPAIR, enabled))
                .isEqualTo(accepted());
    }
}
