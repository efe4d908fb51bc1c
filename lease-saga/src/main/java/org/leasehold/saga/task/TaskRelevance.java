package org.leasehold.saga.task;

import org.leasehold.calendar.CurrentTenures;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.saga.task.PluginTask.ReservationTask;
import org.leasehold.saga.task.PluginTask.ResourceTask;
import org.leasehold.saga.task.PluginTask.TenureTask;

import java.time.Clock;
import java.time.Duration;

/** The checks whether a task is still wanted: later events make it needless, or wrong. */
final class TaskRelevance {

    /**
     * The last time before the start at which a preparation begins: the start would wait for it,
     * and is retried only for so long.
     */
    private static final Duration MIN_TIME_BEFORE_START = Duration.ofMinutes(5);

    private final Leases leases;
    private final Resources resources;
    private final CurrentTenures tenures;
    private final Clock clock;

    TaskRelevance(Leases leases, Resources resources, CurrentTenures tenures, Clock clock) {
        this.leases = leases;
        this.resources = resources;
        this.tenures = tenures;
        this.clock = clock;
    }

    boolean isStillWanted(ReservationTask task) {
        return switch (task) {
            case TenureTask held -> tenures.isCurrent(held.tenure());
            // It would undo the start that is about to run, which may be sooner by now.
            case PluginTask.Prepare _ ->
                    leases.find(task.lease(), null)
                            .map(lease -> lease.period().start().minus(MIN_TIME_BEFORE_START))
                            .filter(clock.instant()::isBefore)
                            .isPresent();
            case PluginTask.BeforeEnd _ -> true;
        };
    }

    boolean isStillWanted(ResourceTask task) {
        return switch (task) {
            case PluginTask.Enrol _ -> resources.find(task.resource()).isPresent();
            // The name may have been enrolled again, which must not be undone.
            case PluginTask.Retire _ ->
                    resources.list(task.kind()).stream()
                            .noneMatch(enrolled -> enrolled.name().equals(task.name()));
        };
    }
}
