package org.leasehold.resource.openstack.cinder;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.vocabulary.ReservationId;

import java.util.Map;
import java.util.TreeMap;

/**
 * The requests that change Cinder, each behind the fence. Cinder does most of the work later, and
 * rejects a second request. So read the volume's state first.
 */
public final class CinderChanges {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TOO_LARGE = 413;

    /** The first microversion that deletes volumes in any state, with their snapshots. */
    private static final String FORCE_DELETE_MICROVERSION = "3.23";

    private final FencedCloud fenced;

    CinderChanges(FencedCloud fenced) {
        this.fenced = fenced;
    }

    /** Creates a volume in the caller's own project; Cinder cannot create one for another. */
    public void create(String type, Assignment assignment) {
        Map<String, ?> wish = assignment.parameters();
        Map<String, Object> fields = new TreeMap<>();
        fields.put("volume_type", type);
        fields.put("size", VolumePlanning.size(assignment.parameters()));
        fields.put("name", String.valueOf(wish.get(VolumePlanning.NAME)));
        fields.put("description", String.valueOf(wish.get(VolumePlanning.DESCRIPTION)));
        fields.put("metadata", reservationMetadata(assignment.reservation()));
        requireQuota(
                fenced.send(
                        CloudRequest.post(
                                        Cinder.BLOCK_STORAGE,
                                        Cinder.VOLUMES,
                                        Map.of("volume", fields))
                                .expecting(REQUEST_TOO_LARGE)),
                "a volume of the type " + type);
    }

    /** Extends a volume, attached or not. */
    public void extend(ExistingVolume volume, int size) {
        CloudResponse answer =
                fenced.send(
                        Cinder.versioned(
                                        action(volume, "os-extend", Map.of("new_size", size)),
                                        Cinder.EXTEND_ATTACHED_MICROVERSION)
                                .expecting(BAD_REQUEST, REQUEST_TOO_LARGE));
        requireQuota(answer, size + " GiB of the volume " + volume.id());
        requireIdle(answer, volume);
    }

    private static void requireQuota(CloudResponse answer, String what) {
        if (answer.status() == REQUEST_TOO_LARGE) {
            throw new CloudFailure(
                    Fault.Kind.INSUFFICIENT_RESOURCES,
                    REQUEST_TOO_LARGE,
                    "The project has no quota left for " + what);
        }
    }

    /** Throws if the volume is being copied, transferred, or in a group; that may end later. */
    private static void requireIdle(CloudResponse answer, ExistingVolume volume) {
        if (answer.status() == BAD_REQUEST) {
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE,
                    BAD_REQUEST,
                    volume + " is not to be had for that",
                    answer.body().findPath("message").asString(""));
        }
    }

    /** Marks a volume as a reservation's. */
    public void mark(ExistingVolume volume, ReservationId reservation) {
        CloudResponse answer =
                fenced.send(
                        CloudRequest.post(
                                        Cinder.BLOCK_STORAGE,
                                        path(volume) + "/metadata",
                                        Map.of("metadata", reservationMetadata(reservation)))
                                .expecting(BAD_REQUEST));
        requireIdle(answer, volume);
    }

    /** Removes the reservation's mark from a volume. */
    public void release(ExistingVolume volume) {
        CloudResponse answer =
                fenced.send(
                        CloudRequest.delete(
                                        Cinder.BLOCK_STORAGE,
                                        path(volume) + "/metadata/" + Cinder.RESERVATION_KEY)
                                .expecting(NOT_FOUND, BAD_REQUEST));
        requireIdle(answer, volume);
    }

    /**
     * Writes a text on a volume for its owner, or removes it.
     *
     * @param text at most 255 characters; null to remove it
     */
    public void writeMetadata(String volume, String key, @Nullable String text) {
        String path = Cinder.VOLUMES + "/" + volume + "/metadata";
        CloudRequest request =
                text == null
                        ? CloudRequest.delete(Cinder.BLOCK_STORAGE, path + "/" + key)
                        : CloudRequest.post(
                                Cinder.BLOCK_STORAGE, path, Map.of("metadata", Map.of(key, text)));
        fenced.send(request.expecting(NOT_FOUND));
    }

    /** Deletes an attachment that no server has. */
    public void deleteAttachment(VolumeAttachment attachment) {
        fenced.send(
                Cinder.versioned(
                                CloudRequest.delete(
                                        Cinder.BLOCK_STORAGE,
                                        Cinder.ATTACHMENTS + "/" + attachment.id()),
                                Cinder.ATTACHMENTS_MICROVERSION)
                        .expecting(NOT_FOUND));
    }

    /** Creates a snapshot in the caller's own project. */
    public void snapshot(ExistingVolume volume, ReservationId reservation) {
        Map<String, ?> snapshot =
                Map.of(
                        "volume_id",
                        volume.id(),
                        "name",
                        "reservation:" + reservation,
                        "metadata",
                        reservationMetadata(reservation));
        CloudResponse answer =
                fenced.send(
                        CloudRequest.post(
                                        Cinder.BLOCK_STORAGE,
                                        Cinder.SNAPSHOTS,
                                        Map.of("snapshot", snapshot))
                                .expecting(BAD_REQUEST, REQUEST_TOO_LARGE));
        requireQuota(answer, "a snapshot of the volume " + volume.id());
        requireIdle(answer, volume);
    }

    /** Deletes a snapshot, unless Cinder has already failed to do so. */
    public void delete(ExistingSnapshot snapshot) {
        fenced.send(
                CloudRequest.delete(Cinder.BLOCK_STORAGE, Cinder.SNAPSHOTS + "/" + snapshot.id())
                        .expecting(NOT_FOUND, BAD_REQUEST));
    }

    /** Deletes a volume with all of its snapshots, once Cinder permits it. */
    public void delete(ExistingVolume volume) {
        boolean failed = volume.status().equals("error_deleting");
        String path = path(volume) + "?cascade=true";
        CloudRequest request =
                failed
                        ? Cinder.versioned(
                                CloudRequest.delete(Cinder.BLOCK_STORAGE, path + "&force=true"),
                                FORCE_DELETE_MICROVERSION)
                        : CloudRequest.delete(Cinder.BLOCK_STORAGE, path);
        requireIdle(fenced.send(request.expecting(NOT_FOUND, BAD_REQUEST)), volume);
    }

    private static Map<String, String> reservationMetadata(ReservationId reservation) {
        return Map.of(Cinder.RESERVATION_KEY, reservation.toString());
    }

    private static CloudRequest action(ExistingVolume volume, String action, Object details) {
        return CloudRequest.post(
                Cinder.BLOCK_STORAGE, path(volume) + "/action", Map.of(action, details));
    }

    private static String path(ExistingVolume volume) {
        return Cinder.VOLUMES + "/" + volume.id();
    }
}
