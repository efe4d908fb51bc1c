package org.leasehold.resource.openstack.volume;

import org.leasehold.lease.Fault;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.CinderChanges;
import org.leasehold.resource.openstack.cinder.ExistingSnapshot;
import org.leasehold.resource.openstack.cinder.ExistingVolume;
import org.leasehold.resource.openstack.cinder.ExistingVolume.Attachment;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.volume.OnEnd;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One call that takes volumes from a reservation. What stays forgets the reservation last: until
 * then an end that was cut off finds it again. Nobody's trust is needed.
 */
final class Ending {

    private final Cinder cinder;
    private final CinderChanges changes;
    private final Nova nova;
    private final NovaChanges servers;
    private final Patience patience;
    private final Assignment assignment;

    Ending(Cinder cinder, Nova nova, Patience patience, Assignment assignment) {
        this.cinder = cinder;
        this.changes = cinder.fencedBy(assignment.fence());
        this.nova = nova;
        this.servers = nova.fencedBy(assignment.fence());
        this.patience = patience;
        this.assignment = assignment;
    }

    void everything() {
        own().forEach(this::end);
    }

    /** Those of some types. */
    void of(List<String> types) {
        own().stream().filter(volume -> types.contains(volume.type())).forEach(this::end);
    }

    private List<ExistingVolume> own() {
        return cinder.volumesOf(assignment.reservation()).stream()
                .filter(volume -> volume.isOf(assignment))
                .toList();
    }

    private void end(ExistingVolume volume) {
        switch (OnEnd.of(assignment.parameters())) {
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
        patience.await(
                () -> {
                    Optional<ExistingVolume> left =
                            cinder.volume(volume.id())
                                    .filter(found -> !found.attachments().isEmpty());
                    left.ifPresent(
                            found ->
                                    found.attachments().stream()
                                            .filter(attachment -> asked.add(attachment.id()))
                                            .forEach(each -> detach(found, each)));
                    return left.map(found -> found + " is still attached");
                });
    }

    private void detach(ExistingVolume volume, Attachment attachment) {
        String server = attachment.server();
        boolean started =
                !server.isEmpty()
                        && nova.rootDevice(server).filter(attachment.device()::equals).isPresent();
        if (started) {
            // Nova takes no server's first disk away, without which it is none.
            servers.deleteServer(server);
        } else if (server.isEmpty() || !servers.detach(server, volume.id())) {
            changes.forget(attachment);
        }
    }

    private void delete(ExistingVolume volume) {
        Set<String> asked = new HashSet<>();
        patience.await(
                () -> {
                    Optional<ExistingVolume> left = cinder.volume(volume.id());
                    left.filter(found -> !found.status().equals("deleting"))
                            .filter(found -> asked.add(found.id()))
                            .ifPresent(changes::delete);
                    return left.map(found -> found + " is not deleted yet");
                });
    }

    private void snapshot(ExistingVolume volume) {
        if (cinder.volume(volume.id()).isEmpty()) {
            return;
        }
        if (its(volume).isEmpty()) {
            takeSnapshot(volume);
        }
        patience.await(
                () ->
                        its(volume)
                                .filter(snapshot -> snapshot.status().equals("creating"))
                                .map(_ -> volume + " has no snapshot yet"));
        its(volume)
                .filter(snapshot -> snapshot.status().equals("error"))
                .ifPresent(
                        failed -> {
                            changes.delete(failed);
                            throw new CloudFailure(
                                    Fault.Kind.RETRYABLE,
                                    CloudFailure.NO_ANSWER,
                                    "Cinder could not take a snapshot. " + volume);
                        });
    }

    private Optional<ExistingSnapshot> its(ExistingVolume volume) {
        return cinder.snapshotsOf(volume).stream()
                .filter(snapshot -> snapshot.isOf(assignment.reservation()))
                .findFirst();
    }

    /**
     * A snapshot is of the project of whoever takes it, which should be the volume's. Whose trust
     * is missing gets one that is the engine's.
     */
    private void takeSnapshot(ExistingVolume volume) {
        TrustId trust = assignment.trust();
        if (trust == null) {
            changes.snapshot(volume, assignment.reservation());
            return;
        }
        try {
            cinder.as(trust)
                    .fencedBy(assignment.fence())
                    .snapshot(volume, assignment.reservation());
        } catch (CloudFailure failure) {
            if (failure.fault().kind() == Fault.Kind.RETRYABLE) {
                throw failure;
            }
            changes.snapshot(volume, assignment.reservation());
        }
    }
}
