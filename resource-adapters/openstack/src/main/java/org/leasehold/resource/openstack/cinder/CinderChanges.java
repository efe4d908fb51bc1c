package org.leasehold.resource.openstack.cinder;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.volume.VolumePlanning;

import java.util.Map;
import java.util.TreeMap;

/**
 * The requests that change Cinder, each behind the fence. Cinder does most of the work later, and
 * rejects a second request. So read the volume's state first.
 */
public final class CinderChanges {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int TOO_MUCH = 413;

    /** The first microversion that deletes volumes in any state, with their snapshots. */
    private static final String DELETING_BY_FORCE = "volume 3.23";

    /** The first microversion that extends attached volumes. */
    private static final String GROWING_IN_USE = "volume 3.42";

    private final Fenced fenced;

    CinderChanges(Fenced fenced) {
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
        fields.put("metadata", marked(assignment.reservation()));
        requireQuota(
                fenced.send(
                        Request.post(Cinder.BLOCK_STORAGE, Cinder.VOLUMES, Map.of("volume", fields))
                                .expecting(TOO_MUCH)),
                "a volume of the type " + type);
    }

    /** Extends a volume, attached or not. */
    public void extend(ExistingVolume volume, int size) {
        Answer answer =
                fenced.send(
                        action(volume, "os-extend", Map.of("new_size", size))
                                .header(Cinder.VERSION, GROWING_IN_USE)
                                .expecting(BAD_REQUEST, TOO_MUCH));
        requireQuota(answer, size + " GiB of the volume " + volume.id());
        requireLeisure(answer, volume);
    }

    private static void requireQuota(Answer answer, String what) {
        if (answer.status() == TOO_MUCH) {
            throw new CloudFailure(
                    Fault.Kind.INSUFFICIENT_RESOURCES,
                    TOO_MUCH,
                    "The project has no quota left for " + what);
        }
    }

    /** Throws if the volume is being copied, transferred, or in a group; that may end later. */
    private static void requireLeisure(Answer answer, ExistingVolume volume) {
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
        Answer answer =
                fenced.send(
                        Request.post(
                                        Cinder.BLOCK_STORAGE,
                                        path(volume) + "/metadata",
                                        Map.of("metadata", marked(reservation)))
                                .expecting(BAD_REQUEST));
        requireLeisure(answer, volume);
    }

    /** Removes the reservation's mark from a volume. */
    public void release(ExistingVolume volume) {
        Answer answer =
                fenced.send(
                        Request.delete(
                                        Cinder.BLOCK_STORAGE,
                                        path(volume) + "/metadata/" + Cinder.MARK)
                                .expecting(NOT_FOUND, BAD_REQUEST));
        requireLeisure(answer, volume);
    }

    /**
     * Writes a text on a volume for its owner, or removes it.
     *
     * @param text at most 255 characters; null to remove it
     */
    public void tell(String volume, String key, @Nullable String text) {
        String path = Cinder.VOLUMES + "/" + volume + "/metadata";
        Request request =
                text == null
                        ? Request.delete(Cinder.BLOCK_STORAGE, path + "/" + key)
                        : Request.post(
                                Cinder.BLOCK_STORAGE, path, Map.of("metadata", Map.of(key, text)));
        fenced.send(request.expecting(NOT_FOUND));
    }

    /** Deletes an attachment that no server has. */
    public void forget(Attachment attachment) {
        fenced.send(
                Request.delete(Cinder.BLOCK_STORAGE, Cinder.ATTACHMENTS + "/" + attachment.id())
                        .header(Cinder.VERSION, Cinder.WITH_ATTACHMENTS)
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
                        marked(reservation));
        Answer answer =
                fenced.send(
                        Request.post(
                                        Cinder.BLOCK_STORAGE,
                                        Cinder.SNAPSHOTS,
                                        Map.of("snapshot", snapshot))
                                .expecting(BAD_REQUEST, TOO_MUCH));
        requireQuota(answer, "a snapshot of the volume " + volume.id());
        requireLeisure(answer, volume);
    }

    /** Deletes a snapshot, unless Cinder has already failed to do so. */
    public void delete(ExistingSnapshot snapshot) {
        fenced.send(
                Request.delete(Cinder.BLOCK_STORAGE, Cinder.SNAPSHOTS + "/" + snapshot.id())
                        .expecting(NOT_FOUND, BAD_REQUEST));
    }

    /** Deletes a volume with all of its snapshots, once Cinder permits it. */
    public void delete(ExistingVolume volume) {
        boolean failed = volume.status().equals("error_deleting");
        String path = path(volume) + "?cascade=true";
        Request request =
                failed
                        ? Request.delete(Cinder.BLOCK_STORAGE, path + "&force=true")
                                .header(Cinder.VERSION, DELETING_BY_FORCE)
                        : Request.delete(Cinder.BLOCK_STORAGE, path);
        requireLeisure(fenced.send(request.expecting(NOT_FOUND, BAD_REQUEST)), volume);
    }

    private static Map<String, String> marked(ReservationId reservation) {
        return Map.of(Cinder.MARK, reservation.toString());
    }

    private static Request action(ExistingVolume volume, String action, Object details) {
        return Request.post(
                Cinder.BLOCK_STORAGE, path(volume) + "/action", Map.of(action, details));
    }

    private static String path(ExistingVolume volume) {
        return Cinder.VOLUMES + "/" + volume.id();
    }
}
