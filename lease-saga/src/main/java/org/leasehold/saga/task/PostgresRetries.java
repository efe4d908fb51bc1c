package org.leasehold.saga.task;

import org.leasehold.command.CommandContext;
import org.leasehold.command.TaskRetries;
import org.leasehold.inventory.ResourceId;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.vocabulary.LeaseId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;

/** The retries by operators, on the table of failing tasks. */
record PostgresRetries(FailingTaskTable table, DurableScheduler scheduler, Clock clock)
        implements TaskRetries {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresRetries.class);

    @Override
    public boolean retry(ResourceId resource, CommandContext context) {
        return retried("resource_id", resource, table.retryNow(resource, clock.instant()), context);
    }

    @Override
    public boolean retry(LeaseId lease, CommandContext context) {
        return retried("lease_id", lease, table.retryNow(lease, clock.instant()), context);
    }

    private boolean retried(String name, Object subject, boolean failing, CommandContext context) {
        LOG.atInfo()
                .addKeyValue(name, subject)
                .addKeyValue("request_id", context.requestId())
                .addKeyValue("user", context.user())
                .addKeyValue("failing", failing)
                .log("An operator retries what fails");
        if (failing) {
            scheduler.pollNow();
        }
        return failing;
    }
}
