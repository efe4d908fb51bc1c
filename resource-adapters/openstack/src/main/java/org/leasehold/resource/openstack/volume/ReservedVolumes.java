package org.leasehold.resource.openstack.volume;

import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.CinderChanges;
import org.leasehold.resource.openstack.cinder.ExistingVolume;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.vocabulary.TrustId;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One call that gives a reservation its volume, or extends it. */
final class ReservedVolumes {

    private final Cinder cinder;
    private final CinderChanges changes;
    private final PollingWait pollingWait;
    private final Assignment assignment;
    private final boolean starting;

    /**
     * Creates a call.
     *
     * @param starting whether its volumes cannot hold any data yet
     */
    ReservedVolumes(Cinder cinder, PollingWait patience, Assignment assignment, boolean starting) {
        this.cinder = cinder;
        this.changes = cinder.fencedBy(assignment.fence());
        this.pollingWait = patience;
        this.assignment = assignment;
        this.starting = starting;
    }

    /**
     * Gives it the volumes of the assignment.
     *
     * @return the ids that clients see
     */
    Map<String, Object> applyAssignment() {
        List<String> ids =
                VolumePlanning.existing(assignment.parameters())
                        .map(id -> List.of(markVolume(id)))
                        .orElseGet(
                                () ->
                                        assignment.resources().stream()
                                                .map(Allocation::name)
                                                .map(this::createOrExtend)
                                                .toList());
        // A reservation requests only one.
        return Map.of(VolumePlanning.VOLUME_ID, ids.getFirst());
    }

    private String markVolume(String id) {
        ExistingVolume volume = requireAvailableVolume(id);
        if (!volume.isOf(assignment)) {
            changes.mark(volume, assignment.reservation());
            // Another call may have found it free at the same time. Cinder compares nothing before
            // it writes. A call that reads before the other's write assumes that both have it.
            requireAvailableVolume(id);
        }
        return id;
    }

    /** Returns the project's volume; fails if another reservation has it, which may end later. */
    private ExistingVolume requireAvailableVolume(String id) {
        ExistingVolume volume =
                cinder.volume(id)
                        .filter(found -> found.project().equals(assignment.project().value()))
                        .orElseThrow(
                                () ->
                                        failure(
                                                Fault.Kind.INSUFFICIENT_RESOURCES,
                                                "The project has no volume " + id));
        if (!volume.mark().isEmpty() && !volume.isOf(assignment)) {
            throw failure(Fault.Kind.RETRYABLE, volume + " is in another lease");
        }
        return volume;
    }

    private String createOrExtend(String type) {
        boolean isNew = findVolume(type).isEmpty();
        if (isNew) {
            userChanges().create(type, assignment);
        }
        ExistingVolume made = awaitIdleVolume(type);
        if (made.status().equals("error")) {
            if (isNew || starting) {
                changes.delete(made);
            }
            // A predecessor's volume may be about to be deleted.
            throw failure(Fault.Kind.RETRYABLE, made + " is of no use");
        }
        int size = VolumePlanning.size(assignment.parameters());
        if (made.size() < size) {
            changes.extend(made, size);
            made = awaitIdleVolume(type);
        }
        if (made.size() < size) {
            throw failure(Fault.Kind.RETRYABLE, made + " did not grow to " + size + " GiB");
        }
        return made.id();
    }

    /** Returns the reservation's volume; a single one even if its holder changed its type. */
    private Optional<ExistingVolume> findVolume(String type) {
        boolean onlyOne = assignment.resources().size() == 1;
        return cinder.volumesOf(assignment.reservation()).stream()
                .filter(volume -> volume.isOf(assignment))
                .filter(volume -> onlyOne || volume.type().equals(type))
                .findFirst();
    }

    /** Returns the volume after Cinder has finished the present action. */
    private ExistingVolume awaitIdleVolume(String type) {
        pollingWait.await(
                () -> findVolume(type).filter(ExistingVolume::isBusy).map(Object::toString));
        return findVolume(type)
                .orElseThrow(
                        () ->
                                failure(
                                        Fault.Kind.RETRYABLE,
                                        "The volume of the type " + type + " is gone"));
    }

    private CinderChanges userChanges() {
        TrustId trust = assignment.trust();
        if (trust == null) {
            throw failure(
                    Fault.Kind.DENIED,
                    "Only the project can have a volume made, and whoever asked for the lease has"
                            + " given no trust to do so");
        }
        return cinder.withTrust(trust).fencedBy(assignment.fence());
    }

    private static CloudFailure failure(Fault.Kind kind, String message) {
        return new CloudFailure(kind, CloudFailure.NO_ANSWER, message);
    }
}
