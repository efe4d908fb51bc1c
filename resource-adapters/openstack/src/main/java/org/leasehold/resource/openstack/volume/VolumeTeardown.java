package org.leasehold.resource.openstack.volume;

import static java.util.stream.Collectors.partitioningBy;

import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.CinderChanges;
import org.leasehold.resource.openstack.cinder.ExistingSnapshot;
import org.leasehold.resource.openstack.cinder.ExistingVolume;
import org.leasehold.resource.openstack.cinder.VolumeAttachment;
import org.leasehold.resource.openstack.compute.AttachedVolume;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.volume.VolumeEndAction;
import org.leasehold.vocabulary.TrustId;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One call that removes volumes from a reservation. A volume that stays loses the mark last, so
 * that a retry of an interrupted end finds it. The call needs no trust.
 */
final class VolumeTeardown {

    private static final String SUSPENDED = "SUSPENDED";

    private final Cinder cinder;
    private final CinderChanges changes;
    private final Nova nova;
    private final NovaChanges novaChanges;
    private final PollingWait pollingWait;
    private final Assignment assignment;

    VolumeTeardown(Cinder cinder, Nova nova, PollingWait patience, Assignment assignment) {
        this.cinder = cinder;
        this.changes = cinder.fencedBy(assignment.fence());
        this.nova = nova;
        this.novaChanges = nova.fencedBy(assignment.fence());
        this.pollingWait = patience;
        this.assignment = assignment;
    }

    void endAll() {
        reservedVolumes().forEach(this::endVolume);
    }

    /** Ends the volumes of some types. */
    void endTypes(List<String> types) {
        reservedVolumes().stream()
                .filter(volume -> types.contains(volume.type()))
                .forEach(this::endVolume);
    }

    private List<ExistingVolume> reservedVolumes() {
        return cinder.volumesOf(assignment.reservation()).stream()
                .filter(volume -> volume.isOf(assignment))
                .toList();
    }

    private void endVolume(ExistingVolume volume) {
        switch (VolumeEndAction.of(assignment.parameters())) {
            case DELETE -> {
                detach(volume);
                delete(volume);
            }
            case SNAPSHOT -> {
                detach(volume);
                snapshot(volume);
                changes.release(volume);
            }
            case DETACH -> {
                detach(volume);
                changes.release(volume);
            }
            case KEEP -> changes.release(volume);
        }
    }

    private void detach(ExistingVolume volume) {
        Set<String> asked = new HashSet<>();
        pollingWait.await(
                () -> {
                    List<VolumeAttachment> left = cinder.attachmentsOf(volume);
                    left.forEach(attachment -> detach(volume, attachment, asked));
                    return left.isEmpty()
                            ? Optional.empty()
                            : Optional.of(volume + " is still attached");
                });
    }

    private void detach(ExistingVolume volume, VolumeAttachment attachment, Set<String> asked) {
        nova.attachedVolume(attachment.server(), volume.id())
                .ifPresentOrElse(
                        there -> detach(there, asked),
                        () -> {
                            if (asked.add(attachment.id())) {
                                changes.deleteAttachment(attachment);
                            }
                        });
    }

    private void detach(AttachedVolume there, Set<String> asked) {
        String server = there.server();
        if (there.status().equals(SUSPENDED)) {
            // Nova detaches nothing from a suspended server.
            if (asked.add(SUSPENDED + server)) {
                novaChanges.resume(server);
            }
        } else if (asked.add(server)) {
            if (there.goesWithServer()
                    && VolumeEndAction.of(assignment.parameters()) != VolumeEndAction.DELETE) {
                novaChanges.keepVolume(there);
            }
            if (!there.isRoot()) {
                novaChanges.detach(there);
            } else if (there.project().equals(assignment.project().value())) {
                // Nova does not detach a server's root disk, without which it cannot run.
                novaChanges.deleteServer(server);
            }
        }
    }

    private void delete(ExistingVolume volume) {
        Set<String> asked = new HashSet<>();
        pollingWait.await(
                () -> {
                    Optional<ExistingVolume> left = cinder.volume(volume.id());
                    left.filter(found -> !found.isBusy())
                            .filter(found -> asked.add(found.id()))
                            .ifPresent(changes::delete);
                    return left.map(found -> found + " is not deleted yet");
                });
    }

    private void snapshot(ExistingVolume volume) {
        if (cinder.volume(volume.id()).isEmpty() || hasSnapshot(volume) || !takeSnapshot(volume)) {
            return;
        }
        if (!hasSnapshot(volume)) {
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE,
                    CloudFailure.NO_ANSWER,
                    "Cinder could not take a snapshot. " + volume);
        }
    }

    /** Returns whether the reservation has a complete snapshot; deletes failed ones. */
    private boolean hasSnapshot(ExistingVolume volume) {
        pollingWait.await(
                () ->
                        reservationSnapshots(volume).stream().anyMatch(ExistingSnapshot::isBusy)
                                ? Optional.of(volume + " has no snapshot yet")
                                : Optional.empty());
        Map<Boolean, List<ExistingSnapshot>> all =
                reservationSnapshots(volume).stream()
                        .collect(partitioningBy(ExistingSnapshot::isUsable));
        all.getOrDefault(false, List.of()).forEach(changes::delete);
        return !all.getOrDefault(true, List.of()).isEmpty();
    }

    private List<ExistingSnapshot> reservationSnapshots(ExistingVolume volume) {
        return cinder.snapshotsOf(volume).stream()
                .filter(snapshot -> snapshot.isOf(assignment.reservation()))
                .toList();
    }

    /**
     * Takes a snapshot, which belongs to the caller's project. The volume's project would not see
     * one of the engine's, which would prevent the volume's deletion.
     *
     * @return false if none can be taken as the user: the trust is gone, or the project has no
     *     quota left
     */
    private boolean takeSnapshot(ExistingVolume volume) {
        TrustId trust = assignment.trust();
        if (trust == null) {
            return false;
        }
        try {
            cinder.withTrust(trust)
                    .fencedBy(assignment.fence())
                    .snapshot(volume, assignment.reservation());
            return true;
        } catch (CloudFailure failure) {
            if (failure.fault().kind() == Fault.Kind.RETRYABLE) {
                throw failure;
            }
            return false;
        }
    }
}
