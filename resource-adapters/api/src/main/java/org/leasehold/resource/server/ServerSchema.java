package org.leasehold.resource.server;

import static org.leasehold.resource.server.ServerPlanning.ON_END;
import static org.leasehold.resource.server.ServerPlanning.ON_START;
import static org.leasehold.resource.server.ServerPlanning.SERVER_ID;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;

import java.util.List;

/** The description of reservations of servers, for any cloud. */
final class ServerSchema {

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(
                            ON_START,
                            FieldSchema.words(
                                    ServerStartAction.class,
                                    "The action at the start; by default, unshelve."))
                    .with(
                            ON_END,
                            FieldSchema.words(
                                    ServerEndAction.class,
                                    "The action at the end; by default, shelve."));

    static final KindDescription DESCRIPTION =
            new KindDescription(
                    "An existing server of the project, which is shelved until the lease starts.",
                    List.of(ResourceUse.part(ResourceKind.SERVER)),
                    CHANGES.with(SERVER_ID, FieldSchema.uuid("The id of the project's server."))
                            .requiring(SERVER_ID)
                            .json(),
                    CHANGES.json());

    private ServerSchema() {}
}
