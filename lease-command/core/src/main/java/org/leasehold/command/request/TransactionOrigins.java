package org.leasehold.command.request;

import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.command.CommandContext;

import java.util.ArrayList;
import java.util.List;

/**
 * The origins of the commands of a unit of work that will append events. One statement stores all
 * of them, in the same transaction.
 */
public final class TransactionOrigins {

    private final List<CommandContext> contexts = new ArrayList<>();

    private TransactionOrigins() {}

    /**
     * Returns the origins of a unit of work. Call this before the first event of the unit is
     * published: the origins are stored before the events, which are appended under a lock.
     */
    public static TransactionOrigins of(UnitOfWork<?> unit, OriginTable table) {
        return unit.root()
                .getOrComputeResource(
                        TransactionOrigins.class.getName(),
                        _ -> {
                            TransactionOrigins origins = new TransactionOrigins();
                            unit.root().onPrepareCommit(_ -> origins.keepIn(table));
                            return origins;
                        });
    }

    public void add(CommandContext context) {
        if (context.origin() != null && context.user() != null) {
            contexts.add(context);
        }
    }

    private void keepIn(OriginTable table) {
        if (!contexts.isEmpty()) {
            table.storeOrigins(contexts);
        }
    }
}
