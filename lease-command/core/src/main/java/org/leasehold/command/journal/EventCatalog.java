package org.leasehold.command.journal;

import org.axonframework.serialization.SerializationException;
import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.UseObserved;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stored name, version and stream type of each event. Written out, so that a renamed class does
 * not rename stored events.
 */
public final class EventCatalog {

    private static final List<Entry> ENTRIES =
            List.of(
                    lease("LeaseRequested", LeaseEvent.LeaseRequested.class),
                    lease("LeaseRefused", LeaseEvent.LeaseRefused.class),
                    lease("LeaseRetryScheduled", LeaseEvent.LeaseRetryScheduled.class),
                    lease("ReservationGranted", LeaseEvent.ReservationGranted.class),
                    lease("LeaseImported", LeaseEvent.LeaseImported.class),
                    lease("LeaseRenamed", LeaseEvent.LeaseRenamed.class),
                    lease("LeaseRescheduled", LeaseEvent.LeaseRescheduled.class),
                    lease("ReservationChanged", LeaseEvent.ReservationChanged.class),
                    lease("ReservationAdded", LeaseEvent.ReservationAdded.class),
                    lease("ReservationRemoved", LeaseEvent.ReservationRemoved.class),
                    lease("LeaseChangeRefused", LeaseEvent.LeaseChangeRefused.class),
                    lease("LeaseDelayed", LeaseEvent.LeaseDelayed.class),
                    lease("ResourceReplaced", LeaseEvent.ResourceReplaced.class),
                    lease("LeaseStarting", LeaseEvent.LeaseStarting.class),
                    lease("ReservationActivated", LeaseEvent.ReservationActivated.class),
                    lease("LeaseActivated", LeaseEvent.LeaseActivated.class),
                    lease("ReservationAdjusting", LeaseEvent.ReservationAdjusting.class),
                    lease("ReservationAdjusted", LeaseEvent.ReservationAdjusted.class),
                    lease("ReservationFailed", LeaseEvent.ReservationFailed.class),
                    lease("ResourceFailed", LeaseEvent.ResourceFailed.class),
                    lease("ResourceRecovered", LeaseEvent.ResourceRecovered.class),
                    lease("LeaseEndAnnounced", LeaseEvent.LeaseEndAnnounced.class),
                    lease("LeaseEnding", LeaseEvent.LeaseEnding.class),
                    lease("ReservationReleased", LeaseEvent.ReservationReleased.class),
                    lease("LeaseEnded", LeaseEvent.LeaseEnded.class),
                    lease("LeaseDeleted", LeaseEvent.LeaseDeleted.class),
                    resource("ResourceEnrolled", ResourceEvent.ResourceEnrolled.class),
                    resource("ResourceChanged", ResourceEvent.ResourceChanged.class),
                    resource("ResourceDescribed", ResourceEvent.ResourceDescribed.class),
                    resource("ResourceDisabled", ResourceEvent.ResourceDisabled.class),
                    resource("ResourceEnabled", ResourceEvent.ResourceEnabled.class),
                    resource("ResourceRetired", ResourceEvent.ResourceRetired.class),
                    new Entry("Property", "PropertyVisibility", 1, PropertyVisibility.class),
                    new Entry("Use", "UseObserved", 1, UseObserved.class));

    private final Map<Class<?>, Entry> byClass = new HashMap<>();
    private final Map<NameAndVersion, Entry> byName = new HashMap<>();

    public EventCatalog() {
        for (Entry entry : ENTRIES) {
            byClass.put(entry.type(), entry);
            byName.put(new NameAndVersion(entry.name(), entry.version()), entry);
        }
    }

    private static Entry lease(String name, Class<? extends LeaseEvent> type) {
        return new Entry("Lease", name, 1, type);
    }

    private static Entry resource(String name, Class<? extends ResourceEvent> type) {
        return new Entry("Resource", name, 1, type);
    }

    List<Entry> entries() {
        return ENTRIES;
    }

    boolean contains(Class<?> type) {
        return byClass.containsKey(type);
    }

    Entry of(Class<?> type) {
        Entry entry = byClass.get(type);
        if (entry == null) {
            throw new SerializationException(type.getName() + " is not in the event catalog");
        }
        return entry;
    }

    /** Rejects unknown events: a skipped event would make every later state wrong. */
    Entry of(String name, int version) {
        @Nullable Entry entry = byName.get(new NameAndVersion(name, version));
        if (entry == null) {
            throw new SerializationException(
                    "event " + name + " version " + version + " is not in the event catalog");
        }
        return entry;
    }

    /**
     * An event as the store knows it.
     *
     * @param stream the type of its stream
     */
    record Entry(String stream, String name, int version, Class<?> type) {}

    private record NameAndVersion(String name, int version) {}
}
