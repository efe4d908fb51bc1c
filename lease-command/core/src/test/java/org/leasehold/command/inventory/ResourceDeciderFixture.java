package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection.InvalidCapability;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Histories of a host, and commands to it. */
abstract class ResourceDeciderFixture {

    static final ResourceId ID = new ResourceId(7);
    static final LeaseId NIGHTLY = new LeaseId(new UUID(0, 1));
    static final LeaseId WEEKLY = new LeaseId(new UUID(0, 2));
    static final ResourceConstraints FREE = new ResourceConstraints(false, List.of());
    static final ResourceEnrolled ENROLLED =
            new ResourceEnrolled(
                    ID,
                    ResourceKind.PHYSICAL_HOST,
                    "compute-7",
                    "RegionOne",
                    "nova",
                    Map.of("vcpus", 8, "memory_mb", 4096),
                    Map.of("gpu", "V100", "rack", "a"));
    static final ResourceDisabled IN_REPAIR = new ResourceDisabled(ID, "broken fan", List.of());

    static ResourceDecision decide(
            ResourceConstraints standing, ResourceCommand command, ResourceEvent... history) {
        return ResourceDecider.decide(command, history(history), standing);
    }

    static Resource history(ResourceEvent... events) {
        Resource resource = new Resource.Absent();
        for (ResourceEvent event : events) {
            resource = resource.evolve(event);
        }
        return resource;
    }

    static void assertInvalid(String name, ResourceDecision decision) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                                assertThat(rejected.rejection())
                                        .isInstanceOfSatisfying(
                                                InvalidCapability.class,
                                                invalid ->
                                                        assertThat(invalid.name())
                                                                .isEqualTo(name)));
    }

    static EnrolResource enrol(Map<String, String> capabilities) {
        return new EnrolResource(
                ID,
                ResourceKind.PHYSICAL_HOST,
                "compute-7",
                "RegionOne",
                "nova",
                Map.of("vcpus", 8, "memory_mb", 4096),
                capabilities);
    }

    static ReportAttributes report(Map<String, Object> attributes) {
        return new ReportAttributes(ID, "RegionOne", "nova", attributes);
    }

    static ResourceDescribed described(Map<String, Object> attributes, LeaseId... affected) {
        return new ResourceDescribed(ID, "RegionOne", "nova", attributes, List.of(affected));
    }

    static ChangeResource change(Map<String, String> set, String... removed) {
        return new ChangeResource(ID, set, Set.of(removed));
    }

    static ResourceConstraints standing(Reliance... reliances) {
        return new ResourceConstraints(false, List.of(reliances));
    }

    static Accepted accepted(ResourceEvent... events) {
        return new Accepted(List.of(events));
    }
}
