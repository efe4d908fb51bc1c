package org.leasehold.resource.instance;

import static org.leasehold.resource.instance.FlavorPlanning.FLAVOR_ID;
import static org.leasehold.resource.instance.SlotParameters.AFFINITY;
import static org.leasehold.resource.instance.SlotParameters.AMOUNT;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The description of reservations of slots of a flavor's size, for any cloud. */
final class FlavorInstanceSchema {

    private static final List<@Nullable String> NO_AFFINITY =
            Collections.unmodifiableList(Arrays.asList(SlotParameters.ANYWHERE, null));

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(
                            FLAVOR_ID,
                            FieldSchema.text(
                                            1,
                                            FlavorPlanning.MAX_ID_LENGTH,
                                            "The id of a flavor that the project may use.")
                                    .with("pattern", "^(?!\\.{1,2}$)[A-Za-z0-9._ -]+$"))
                    .with(AMOUNT, SlotParameters.amountSchema())
                    .with(
                            AFFINITY,
                            FieldSchema.typed(
                                            "string",
                                            "None or null: the slots may be on any hosts.")
                                    .with("type", List.of("string", "null"))
                                    .with("enum", NO_AFFINITY));

    static final KindDescription DESCRIPTION =
            new KindDescription(
                    "Slots of a flavor's size on hosts that several projects share.",
                    List.of(ResourceUse.part(ResourceKind.PHYSICAL_HOST)),
                    CHANGES.requiring(FLAVOR_ID, AMOUNT).json(),
                    CHANGES.json());

    private FlavorInstanceSchema() {}
}
