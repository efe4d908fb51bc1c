package org.leasehold.command.execution;

import org.axonframework.common.transaction.NoTransactionManager;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;

/** Spring's transactions for Axon's units of work. Axon's default silently uses none. */
final class SpringTransactions implements TransactionManager {

    private final PlatformTransactionManager transactions;

    SpringTransactions(PlatformTransactionManager transactions) {
        this.transactions = transactions;
    }

    @Override
    public Transaction startTransaction() {
        if (CurrentUnitOfWork.isStarted() && CurrentUnitOfWork.get().parent().isPresent()) {
            // The transaction is the group's, which commits or rolls back as a whole.
            return NoTransactionManager.INSTANCE.startTransaction();
        }
        TransactionStatus status = transactions.getTransaction(null);
        Transaction transaction = transaction(status);
        if (CurrentUnitOfWork.isStarted()) {
            // Axon does not roll back after an Error. An open transaction would also be that of the
            // next command, and nothing would be committed any more.
            CurrentUnitOfWork.get().onCleanup(_ -> transaction.rollback());
        }
        return transaction;
    }

    private Transaction transaction(TransactionStatus status) {
        return new Transaction() {

            @Override
            public void commit() {
                if (!status.isCompleted()) {
                    transactions.commit(status);
                }
            }

            @Override
            public void rollback() {
                if (!status.isCompleted()) {
                    transactions.rollback(status);
                }
            }
        };
    }
}
