package org.leasehold.simulation;

import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.command.memory.UndoLog;

import java.util.ArrayDeque;
import java.util.Deque;

/** The suspension of the thread's transactions while others act on top of its stack. */
record TransactionSuspension(UndoLog log) {

    /** Runs an action as another thread would, outside of all transactions. */
    void run(Runnable action) {
        Deque<UnitOfWork<?>> units = new ArrayDeque<>();
        while (CurrentUnitOfWork.isStarted()) {
            units.push(CurrentUnitOfWork.get());
            CurrentUnitOfWork.clear(units.peek());
        }
        try {
            new InMemoryTransactions(log, () -> {}).aside(action);
        } finally {
            units.forEach(CurrentUnitOfWork::set);
        }
    }
}
