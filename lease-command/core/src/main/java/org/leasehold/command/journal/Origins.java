package org.leasehold.command.journal;

import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.command.CommandContext;

import java.util.ArrayList;
import java.util.List;

/**
 * From where the commands of a unit of work came whose events it is about to append. All are kept
 * by one statement, in the same transaction.
 */
final class Origins {

    private final List<CommandContext> contexts = new ArrayList<>();

    private Origins() {}

    /**
     * Those of a unit of work. They have to be asked for before any event of it is published: they
     * are kept before the events, which are appended under a lock.
     */
    static Origins of(UnitOfWork<?> unit, OriginTable table) {
        return unit.root()
                .getOrComputeResource(
                        Origins.class.getName(),
                        _ -> {
                            Origins origins = new Origins();
                            unit.root().onPrepareCommit(_ -> origins.keepIn(table));
                            return origins;
                        });
    }

    void add(CommandContext context) {
        if (context.origin() != null && context.user() != null) {
            contexts.add(context);
        }
    }

    private void keepIn(OriginTable table) {
        if (!contexts.isEmpty()) {
            table.keep(contexts);
        }
    }
}
