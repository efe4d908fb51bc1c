package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.compute.FakeGuest;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.util.List;

/** Tests adjustments and ends of reservations of hosts, and their servers. */
class HostAdjustmentsTest extends HostMovesFixture {

    @Test
    void an_end_returns_a_host_that_is_down_to_the_freepool() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.host("compute-1").up = false;

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.group("freepool").hosts).hasSize(4);
    }

    @Test
    void an_end_succeeds_when_a_host_is_gone() {
        Assignment assignment = assignment("compute-1", "compute-2");
        acting.onStart(assignment);
        nova.forget("compute-1");

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.group("freepool").hosts)
                .doesNotContain(FakeNova.serviceOf("compute-1"))
                .contains(FakeNova.serviceOf("compute-2"));
    }

    @Test
    void a_start_deletes_servers_only_on_the_assigned_hosts() {
        nova.boot("gone", STRANGER, "compute-1");
        nova.boot("stays", STRANGER, "compute-2");

        Assignment assignment = assignment("compute-1");
        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(nova.guests()).containsExactly("stays");
    }

    @Test
    void a_repeated_start_keeps_the_project_servers() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.boot("mine", PROJECT.value(), "compute-1");

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(nova.guests()).containsExactly("mine");
    }

    @Test
    void an_adjustment_keeps_the_servers_on_the_hosts_that_stay() {
        Assignment assignment = assignment("compute-1", "compute-2");
        acting.onStart(assignment);
        nova.boot("stays", PROJECT.value(), "compute-1");
        nova.boot("goes", PROJECT.value(), "compute-2");

        assertThat(
                        acting.onAdjust(
                                again(assignment, "compute-1", "compute-3"),
                                allocations("compute-2")))
                .isInstanceOf(Result.Done.class);

        assertThat(nova.guests()).containsExactly("stays");
        assertThat(own(assignment).hosts)
                .containsExactlyElementsOf(services("compute-1", "compute-3"));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", PROJECT.value());
    }

    @Test
    void a_host_that_changes_aggregates_is_never_open_to_all_projects() {
        Assignment two = assignment("compute-1", "compute-2");
        Assignment other = again(two, "compute-2", "compute-3");

        acting.onStart(two);
        acting.onAdjust(other, allocations("compute-1"));
        acting.onEnd(other);

        assertThat(nova.exposed()).isEmpty();
        acting.retire(new ResourceId(1), "compute-1");
        assertThat(nova.exposed()).containsExactly(FakeNova.serviceOf("compute-1"));
    }

    @Test
    void a_repeated_adjustment_keeps_project_servers_on_an_added_host() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        Assignment more = again(assignment, "compute-1", "compute-2");
        // It joins, and does not leave the pool.
        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 1);
        assertRetryable(acting.onAdjust(more, List.of()));
        nova.boot("mine", PROJECT.value(), "compute-2");
        nova.boot("theirs", STRANGER, "compute-2");

        assertThat(acting.onAdjust(more, List.of())).isInstanceOf(Result.Done.class);

        assertThat(nova.guests()).containsExactly("mine");
    }

    @Test
    void an_end_is_retryable_until_all_servers_are_deleted() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.boot("mine", PROJECT.value(), "compute-1");
        FakeGuest stubborn = nova.boot("stubborn", STRANGER, "compute-1");
        stubborn.stubborn = true;

        assertThat(acting(HostIsolation.FILTER, "30s", FakePollingTime.looks(10)).onEnd(assignment))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE);
                            assertThat(failed.fault().message()).contains("stubborn");
                            assertThat(failed.fault().forHolder().message())
                                    .endsWith("is still a number of servers: 1")
                                    .doesNotContain("stubborn");
                        });
        assertThat(own(assignment).hosts).hasSize(1);

        stubborn.stubborn = false;
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(nova.guests()).isEmpty();
        assertThat(nova.groupNames()).containsExactly("freepool");
    }

    @Test
    void the_fault_message_for_the_holder_omits_the_server_id() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        FakeGuest theirs = nova.boot("theirs", STRANGER, "compute-1");
        theirs.locked = true;

        assertThat(acting.onEnd(assignment))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().message()).contains(theirs.id);
                            assertThat(failed.fault().forHolder().message())
                                    .doesNotContain(theirs.id);
                        });
    }

    @ParameterizedTest
    @CsvSource({"FILTER, true, 0", "FILTER, false, 1", "TENANCY, true, 1"})
    void only_filter_isolation_allows_preemptible_servers_in_the_freepool(
            HostIsolation isolation, String preemptible, int expected) {
        acting = acting(isolation, "30s", LONG_WAIT);
        nova.boot("spot", STRANGER, "compute-1").extraSpecs.put("blazar:preemptible", preemptible);

        assertThat(squatters()).hasSize(expected);
    }
}
