package org.leasehold.resource.openstack.host;

import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.compute.FakeAggregate;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Hosts of a cloud, and the aggregates that they move between. */
abstract class HostMovesFixture extends HostsFixture {

    long changes() {
        return nova.requests().stream().filter(request -> !request.startsWith("GET")).count();
    }

    FakeAggregate own(Assignment assignment) {
        return nova.group(assignment.reservation().toString());
    }

    static List<String> services(String... hosts) {
        return Stream.of(hosts).map(FakeNova::serviceOf).toList();
    }

    /** Returns the result of a start, with the id of its aggregate. */
    Result started(Assignment assignment) {
        return new Result.Done(
                Map.of("aggregate_id", nova.group(assignment.reservation().toString()).id));
    }

    static Assignment again(Assignment old, String... hosts) {
        return assignment(old.reservation(), old.parameters(), allocations(hosts), old.fence());
    }

    static Assignment fenced(Assignment old, Acting.Fence fence) {
        return old.withFence(fence);
    }
}
