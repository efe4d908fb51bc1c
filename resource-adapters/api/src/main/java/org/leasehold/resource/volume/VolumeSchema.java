package org.leasehold.resource.volume;

import static org.leasehold.resource.volume.VolumePlanning.DESCRIPTION;
import static org.leasehold.resource.volume.VolumePlanning.MAX_SIZE_GIB;
import static org.leasehold.resource.volume.VolumePlanning.MAX_TEXT_LENGTH;
import static org.leasehold.resource.volume.VolumePlanning.NAME;
import static org.leasehold.resource.volume.VolumePlanning.ON_END;
import static org.leasehold.resource.volume.VolumePlanning.SIZE;
import static org.leasehold.resource.volume.VolumePlanning.VOLUME_ID;
import static org.leasehold.resource.volume.VolumePlanning.VOLUME_TYPE;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;

import java.util.List;
import java.util.Map;

/** The description of reservations of volumes, for any cloud. */
final class VolumeSchema {

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(
                            VOLUME_TYPE,
                            FieldSchema.text(1, MAX_TEXT_LENGTH, "The type of a new volume."))
                    .with(
                            SIZE,
                            FieldSchema.integer(
                                    1, MAX_SIZE_GIB, "The size of a new volume, in GiB."))
                    .with(NAME, FieldSchema.text(0, MAX_TEXT_LENGTH, "The name of a new volume."))
                    .with(
                            DESCRIPTION,
                            FieldSchema.text(
                                    0, MAX_TEXT_LENGTH, "The description of a new volume."))
                    .with(
                            ON_END,
                            FieldSchema.words(
                                    VolumeEndAction.class,
                                    "The action at the end; by default, delete for a new volume"
                                            + " and detach for an existing one."));

    static final KindDescription KIND =
            new KindDescription(
                    "A volume: a new one of a type and a size, or an existing one of the project.",
                    List.of(ResourceUse.part(ResourceKind.VOLUME)),
                    CHANGES.with(
                                    VOLUME_ID,
                                    FieldSchema.uuid(
                                            "The id of an existing volume of the project; then"
                                                    + " only on_end is allowed besides."))
                            .withRule("if", Map.of("required", List.of(VOLUME_ID)))
                            .withRule(
                                    "then",
                                    Map.of(
                                            "propertyNames",
                                            Map.of("enum", List.of(VOLUME_ID, ON_END))))
                            .withRule("else", Map.of("required", List.of(VOLUME_TYPE, SIZE)))
                            .json(),
                    CHANGES.json());

    private VolumeSchema() {}
}
