package org.leasehold.runtime.node;

import org.axonframework.common.transaction.NoTransactionManager;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;

/** Starts the event processors after everything that they call, and stops them first. */
final class AxonLifecycle implements SmartLifecycle {

    private final Configuration axon;
    private final Node node;
    private volatile boolean running;

    AxonLifecycle(Configuration axon, Node node) {
        TransactionManager transactions = axon.getComponent(TransactionManager.class);
        if (transactions == null || transactions instanceof NoTransactionManager) {
            throw new IllegalStateException("events would be processed without transactions");
        }
        this.axon = axon;
        this.node = node;
    }

    @Override
    public void start() {
        axon.start();
        running = true;
    }

    @Override
    public void stop() {
        axon.shutdown();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isAutoStartup() {
        return node.works();
    }
}
