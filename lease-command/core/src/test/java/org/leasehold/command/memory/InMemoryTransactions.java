package org.leasehold.command.memory;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.Deque;

/** Spring's transactions on tables in memory. */
public final class InMemoryTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    private final transient UndoLog log;
    private final transient Runnable beforeCommit;

    /** Takes a check that throws if the caller can commit nothing any more. */
    public InMemoryTransactions(UndoLog log, Runnable beforeCommit) {
        this.log = log;
        this.beforeCommit = beforeCommit;
        setRollbackOnCommitFailure(true);
    }

    /** Runs code as another thread would, outside the present transaction. */
    public void aside(Runnable other) {
        TransactionTemplate outside = new TransactionTemplate(this);
        outside.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        outside.executeWithoutResult(_ -> other.run());
    }

    @Override
    protected Object doGetTransaction() {
        return log;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return log.isOpen();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        log.open();
    }

    @Override
    protected @Nullable Object doSuspend(Object transaction) {
        return log.suspend();
    }

    @SuppressWarnings("unchecked")
    @Override
    protected void doResume(@Nullable Object transaction, Object suspended) {
        log.resume((Deque<UndoLog.Written>) suspended);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        beforeCommit.run();
        log.close();
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        log.undo();
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        log.close();
    }
}
