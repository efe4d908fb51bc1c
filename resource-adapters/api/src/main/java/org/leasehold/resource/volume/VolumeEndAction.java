package org.leasehold.resource.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.ParameterKeyword;

import java.util.Map;

/** The action on a lease's volume at its end. */
public enum VolumeEndAction implements ParameterKeyword {
    /** Detaches and deletes the volume, with all of its snapshots. */
    DELETE("delete"),
    /** Detaches the volume and takes a snapshot; both stay, as a snapshot needs its volume. */
    SNAPSHOT("snapshot"),
    /** Detaches the volume, which stays. */
    DETACH("detach"),
    /** Leaves the volume as it is, attached or not. */
    KEEP("keep");

    private final String word;

    VolumeEndAction(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }

    /**
     * Returns the action of a reservation.
     *
     * @param parameters as {@link VolumePlanning} normalised them
     */
    public static VolumeEndAction of(Map<String, @Nullable Object> parameters) {
        return ParameterKeyword.of(VolumeEndAction.class, parameters.get(VolumePlanning.ON_END))
                .orElseThrow();
    }
}
