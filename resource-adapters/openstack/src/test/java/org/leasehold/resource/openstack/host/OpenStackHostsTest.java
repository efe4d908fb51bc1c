package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.compute.FakeAggregate;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Tests the starts of reservations of hosts, and the faults of the cloud. */
class OpenStackHostsTest extends HostMovesFixture {

    @Test
    void enrolment_creates_the_freepool_and_adds_the_hosts() {
        assertThat(nova.group("freepool").zone).isNull();
        assertThat(nova.group("freepool").metadata).isEmpty();
        assertThat(nova.group("freepool").hosts)
                .containsExactlyElementsOf(
                        services("compute-1", "compute-2", "compute-3", "compute-4"));
    }

    @Test
    void tenancy_isolation_closes_the_freepool_to_all_projects() {
        Acting tenancy = acting(HostIsolation.TENANCY, "30s", LONG_WAIT);

        assertThat(tenancy.enrol(new ResourceId(5), "compute-5")).isEqualTo(DONE);

        assertThat(nova.group("freepool").metadata)
                .containsOnly(
                        Map.entry("filter_tenant_id", "0".repeat(32)),
                        Map.entry("trait:CUSTOM_RESERVABLE", "required"));
    }

    @Test
    void a_started_reservation_is_an_aggregate_with_zone_owner_and_hosts() {
        Assignment assignment = assignment("compute-1", "compute-2");

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        FakeAggregate own = own(assignment);
        assertThat(own.zone).isEqualTo("blazar_" + assignment.reservation());
        assertThat(own.metadata).containsExactly(Map.entry("blazar:owner", PROJECT.value()));
        assertThat(own.hosts).containsExactlyElementsOf(services("compute-1", "compute-2"));
        assertThat(nova.group("freepool").hosts)
                .containsExactlyElementsOf(services("compute-3", "compute-4"));
    }

    /** Starts in the state in which a lease is migrated from Blazar. */
    @Test
    void an_aggregate_from_blazar_is_found_kept_and_ended() {
        Assignment assignment = assignment("compute-5", "compute-6");
        String id = assignment.reservation().toString();
        nova.group(id, "blazar_" + id, "compute-5", "compute-6");
        own(assignment).metadata.put("blazar:owner", PROJECT.value());
        nova.boot("theirs", PROJECT.value(), "compute-5");
        assertThat(acting.inspect(assignment.reservation()))
                .containsExactly(
                        "aggregate/" + id,
                        "host/" + FakeNova.serviceOf("compute-5"),
                        "server/theirs",
                        "host/" + FakeNova.serviceOf("compute-6"));

        // Its hosts are enrolled here after the aggregate exists.
        acting.enrol(new ResourceId(5), "compute-5");
        acting.enrol(new ResourceId(6), "compute-6");
        assertThat(nova.guests()).containsExactly("theirs");
        assertThat(nova.group("freepool").hosts).hasSize(4);

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(nova.guests()).isEmpty();
        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.group("freepool").hosts).containsAll(services("compute-5", "compute-6"));
    }

    @Test
    void tenancy_isolation_sets_the_project_as_tenant_of_the_aggregate() {
        Acting tenancy = acting(HostIsolation.TENANCY, "30s", LONG_WAIT);
        Assignment assignment = assignment("compute-1");

        assertThat(tenancy.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(own(assignment).metadata)
                .containsOnly(
                        Map.entry("blazar:owner", PROJECT.value()),
                        Map.entry("filter_tenant_id", PROJECT.value()));
    }

    @Test
    void an_aggregate_is_closed_until_all_hosts_are_ready_and_during_the_end() {
        Assignment assignment = assignment("compute-1", "compute-2");
        // The aggregate is created and closed, both hosts join, and then a request fails.
        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 4);
        assertRetryable(acting.onStart(assignment));
        assertThat(own(assignment).hosts).hasSize(2);
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", "0".repeat(32));

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", PROJECT.value());

        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 1);
        assertRetryable(acting.onEnd(assignment));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", "0".repeat(32));
    }

    @Test
    void an_aggregate_from_blazar_is_closed_until_all_hosts_are_ready() {
        Assignment assignment = assignment("compute-1", "compute-2");
        String id = assignment.reservation().toString();
        nova.group(id, "blazar_" + id);
        own(assignment).metadata.put("blazar:owner", PROJECT.value());
        // It is closed, both hosts join, and then a request fails.
        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 3);
        assertRetryable(acting.onStart(assignment));
        assertThat(own(assignment).hosts).hasSize(2);
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", "0".repeat(32));

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", PROJECT.value());
    }

    @Test
    void a_start_fails_on_a_host_that_is_down_disabled_or_missing() {
        nova.host("compute-1").up = false;
        nova.host("compute-2").enabled = false;
        nova.forget("compute-3");

        assertThat(acting.onStart(assignment("compute-1")))
                .isEqualTo(lacks("The host compute-1 is down or disabled"));
        assertThat(acting.onStart(assignment("compute-2")))
                .isEqualTo(lacks("The host compute-2 is down or disabled"));
        assertThat(acting.onStart(assignment("compute-4", "compute-3")))
                .isEqualTo(lacks("The host compute-3 does not exist"));
    }

    @Test
    void a_start_fails_on_a_host_of_another_reservation() {
        Assignment owner = assignment("compute-1");
        acting.onStart(owner);

        assertThat(acting.onStart(assignment("compute-1")))
                .isEqualTo(
                        lacks(
                                "The host compute-1 is in another availability zone\n"
                                        + "The host compute-1 is in the aggregate "
                                        + owner.reservation()));
    }

    @Test
    void a_start_is_retryable_while_the_host_is_not_in_the_freepool() {
        assertThat(acting.onStart(assignment("compute-5")))
                .isEqualTo(
                        new Result.Failed(
                                new Fault(
                                        Fault.Kind.RETRYABLE,
                                        "The host compute-5 is not in the freepool")));
    }

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, RETRYABLE",
        "DEFECT, RETRYABLE",
        "CONFLICT, RETRYABLE",
        "ANSWER_LOST, RETRYABLE",
        "FORBIDDEN, DENIED"
    })
    void a_cloud_error_determines_the_kind_of_the_fault(
            CloudFaultProxy.Fault fault, Fault.Kind kind) {
        for (int step = 0; step < 5; step++) {
            Assignment assignment = assignment("compute-1");
            proxy.spoil(fault, step);
            assertThat(acting.onStart(assignment))
                    .as("step %d", step)
                    .isInstanceOfSatisfying(
                            Result.Failed.class,
                            failed -> assertThat(failed.fault().kind()).isEqualTo(kind));
            assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        }
    }

    @Test
    void a_start_reports_an_unavailable_host_before_retryable_failures() {
        nova.host("compute-2").up = false;

        assertThat(acting.onStart(assignment("compute-5", "compute-2", "compute-6")))
                .isEqualTo(lacks("The host compute-2 is down or disabled"));
    }

    @Test
    void the_creation_of_an_existing_aggregate_returns_the_existing_one() {
        try (Cloud cloud = new Cloud(CloudSettings.of(nova.settings()), Clock.systemUTC())) {
            NovaChanges changes = new Nova(cloud).fencedBy(() -> true);

            assertThat(changes.createAggregate("theirs", null))
                    .isEqualTo(changes.createAggregate("theirs", null));
        }
        assertThat(nova.groupNames()).containsExactly("freepool", "theirs");
    }

    @Test
    void a_retry_after_a_lost_response_does_not_create_a_second_aggregate() {
        Acting impatient = acting(HostIsolation.FILTER, "2s", LONG_WAIT);
        Assignment assignment = assignment("compute-1");
        proxy.spoil(CloudFaultProxy.Fault.ANSWER_NEVER, 0);
        assertRetryable(impatient.onStart(assignment));
        proxy.spoil(CloudFaultProxy.Fault.ANSWER_NEVER, 1);
        assertRetryable(impatient.onStart(assignment));

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(nova.requests().stream().filter("POST /os-aggregates"::equals))
                .as("the freepool and the reservation's")
                .hasSize(2);
    }

    @Test
    void a_call_makes_no_changes_after_the_fencing_token_is_stale() {
        AtomicInteger left = new AtomicInteger(2);
        Assignment assignment = fenced(assignment("compute-1"), () -> left.getAndDecrement() > 0);
        long before = changes();

        assertRetryable(acting.onStart(assignment));

        assertThat(changes() - before).isEqualTo(2);
        assertThat(own(assignment).hosts).isEmpty();
    }

    @Test
    void a_start_moves_each_host_with_four_requests() {
        String[] hosts =
                IntStream.rangeClosed(1, 12)
                        .mapToObj(number -> "compute-" + number)
                        .toArray(String[]::new);
        for (int number = 5; number <= 12; number++) {
            acting.enrol(new ResourceId(number), "compute-" + number);
        }
        Assignment assignment = assignment(hosts);
        int before = nova.requests().size();

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(own(assignment).hosts).hasSize(12);
        assertThat(nova.group("freepool").hosts).isEmpty();
        // And four for the reservation: to read, and to create, close and open its aggregate. Two
        // announce the present hosts of that and of the freepool.
        assertThat(nova.requests().size() - before).isEqualTo(12 * 4 + 4 + 2);
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(nova.group("freepool").hosts).hasSize(12);
    }
}
