package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ResourceMove;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.StartOrder;
import org.leasehold.saga.task.PluginTask.ReservationTask;
import org.leasehold.saga.task.PluginTask.ResourceTask;
import org.leasehold.saga.task.PluginTask.TenureTask;
import org.leasehold.saga.trust.KnownTrusts;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.TrustId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Runs a task when it is ready: it calls the plug-in, and reports the result. */
final class TaskRunner {

    /** The time that a task waits in its thread, and the pause before the next attempt. */
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

    private final Leases leases;
    private final CurrentTenures tenures;
    private final Plugins plugins;
    private final KnownTrusts trusts;
    private final PluginCallLimiter callLimiter;
    private final TaskRetryPolicy retryPolicy;
    private final TaskReporter reporter;
    private final PluginOutages outages;
    private final Clock clock;
    private final TaskRelevance relevance;
    private final TaskFaultHandler faultHandler;
    private final StartOrder order;

    TaskRunner(
            World world,
            PluginCallLimiter calls,
            TaskRetryPolicy retryPolicy,
            TaskReporter reporter,
            PluginOutages outages,
            Clock clock) {
        this.leases = world.leases();
        this.tenures = world.tenures();
        this.plugins = world.plugins();
        this.trusts = world.trusts();
        this.callLimiter = calls;
        this.retryPolicy = retryPolicy;
        this.reporter = reporter;
        this.outages = outages;
        this.clock = clock;
        this.order = StartOrder.of(plugins);
        this.relevance = new TaskRelevance(leases, world.resources(), tenures, clock);
        this.faultHandler = new TaskFaultHandler(retryPolicy, reporter, outages, clock);
    }

    /** The state that a task reads before it acts. */
    record World(
            Leases leases,
            Resources resources,
            CurrentTenures tenures,
            Plugins plugins,
            KnownTrusts trusts) {}

    /**
     * Runs a task.
     *
     * @throws InterruptedException if this process is about to stop
     */
    Verdict run(TaskAttempt attempt) throws InterruptedException {
        return switch (attempt.task()) {
            case ReservationTask task -> runFor(task, attempt);
            case ResourceTask task -> runFor(task, attempt);
        };
    }

    private Verdict runFor(ReservationTask task, TaskAttempt attempt) throws InterruptedException {
        Optional<LeaseView> lease = leases.find(task.lease(), null);
        Optional<ReservationView> reservation =
                lease.flatMap(found -> found.reservation(task.reservation()));
        if (lease.isEmpty() || reservation.isEmpty()) {
            return handleMissing(task, attempt);
        }
        // If another process did the start, this one stops. That also holds while the end, which
        // still needs the resources, is retried.
        Acting.Fence fence = () -> attempt.owned().getAsBoolean() && relevance.isStillWanted(task);
        Optional<KnownTrust> trust =
                actsAsUser(reservation.get()) ? trusts.find(task.lease()) : Optional.empty();
        if (needsTrust(task)
                && trust.filter(known -> known.isAwaited(clock.instant())).isPresent()) {
            return new Verdict.NotYet(clock.instant().plus(RETRY_INTERVAL));
        }
        Assignment assignment =
                assignment(
                        lease.get(),
                        reservation.get(),
                        fence,
                        new OtherHolders(
                                leases, tenures, lease.get().projectId(), reservation.get()),
                        trust.map(KnownTrust::trust).orElse(null));
        return callPlugin(
                reservation.get().kind(),
                attempt,
                fence::isValid,
                acting ->
                        task instanceof PluginTask.End && isUnannounced(lease.get())
                                ? endUnannounced(attempt, acting, assignment)
                                : perform(task, acting, assignment),
                result ->
                        reporter.reportDone(
                                task,
                                result,
                                attempt.submitted().cause(),
                                earliestStart(
                                        lease.get(),
                                        reservation.get(),
                                        order,
                                        attempt.submitted().cause().at())));
    }

    /**
     * Returns the earliest start; a reservation may have joined a lease that runs, or have waited
     * for others.
     *
     * @param turn the time of the event that let the reservation start
     */
    static Instant earliestStart(
            LeaseView lease, ReservationView reservation, StartOrder order, Instant turn) {
        boolean waited =
                lease.reservations().stream()
                        .anyMatch(other -> order.isAfter(reservation.kind(), other.kind()));
        return Stream.of(
                        lease.period().start(),
                        reservation.createdAt(),
                        waited ? turn : reservation.createdAt())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Returns whether the announcement of an end was due while no node ran to make it. */
    private boolean isUnannounced(LeaseView lease) {
        return lease.status() == LeaseStatus.ENDING
                && lease.scheduledEvents().stream()
                        .filter(event -> event.type() == ScheduledEventView.Type.BEFORE_END_LEASE)
                        .filter(event -> !clock.instant().isBefore(event.time()))
                        .anyMatch(event -> event.status() != ScheduledEventView.Status.DONE);
    }

    /** Makes up for the step before the end, unless that delays the end for too long. */
    private Result endUnannounced(TaskAttempt attempt, Acting acting, Assignment assignment) {
        Result before = acting.beforeEnd(assignment);
        Instant now = clock.instant();
        return before instanceof Result.Failed(var fault)
                        && retryPolicy.isRetryAllowed(fault, attempt.failingSince(now), now)
                ? before
                : acting.onEnd(assignment);
    }

    /** Returns whether a task needs a trust; an end does not: the trust's user may be gone. */
    private static boolean needsTrust(ReservationTask task) {
        return switch (task) {
            case PluginTask.Prepare _, PluginTask.Start _, PluginTask.Adjust _ -> true;
            case PluginTask.BeforeEnd _, PluginTask.End _ -> false;
        };
    }

    private boolean actsAsUser(ReservationView reservation) {
        return plugins.find(reservation.kind())
                .map(plugin -> plugin.planning().actsAsUser(reservation.parameters()))
                .orElse(false);
    }

    /** Retries a task without a lease that still has resources: no end is dropped silently. */
    private Verdict handleMissing(ReservationTask task, TaskAttempt attempt) {
        return task instanceof TenureTask held && tenures.isCurrent(held.tenure())
                ? faultHandler.handle(
                        attempt,
                        new Fault(Fault.Kind.RETRYABLE, "the lease is not to be found"),
                        null)
                : new Verdict.Finished();
    }

    private Verdict runFor(ResourceTask task, TaskAttempt attempt) throws InterruptedException {
        return callPlugin(
                task.kind(),
                attempt,
                () -> relevance.isStillWanted(task),
                acting -> perform(task, acting),
                _ -> {});
    }

    private Verdict callPlugin(
            ResourceKind kind,
            TaskAttempt attempt,
            Supplier<Boolean> wanted,
            Function<Acting, Result> action,
            Consumer<Result.Done> report)
            throws InterruptedException {
        Optional<ResourcePlugin> plugin = plugins.find(kind);
        if (plugin.isEmpty()) {
            String message = "no plugin for " + kind + " is switched on";
            return faultHandler.handle(attempt, new Fault(Fault.Kind.RETRYABLE, message), null);
        }
        Optional<PluginCallLimiter.Slot> entered =
                callLimiter.acquire(kind, attempt.task().subject(), RETRY_INTERVAL);
        if (entered.isEmpty()) {
            return new Verdict.NotYet(clock.instant().plus(RETRY_INTERVAL));
        }
        try (PluginCallLimiter.Slot slot = entered.get()) {
            if (!wanted.get()) {
                return new Verdict.Finished();
            }
            String request = attempt.submitted().cause().requestId();
            Supplier<Result> call = () -> action.apply(plugin.get().acting());
            Instant began = clock.instant();
            Result answer = slot.call(() -> CurrentRequest.during(request, call));
            reporter.recordResult(attempt, began, answer);
            outages.record(kind, answer);
            return switch (answer) {
                case Result.Done done -> {
                    report.accept(done);
                    yield new Verdict.Finished();
                }
                // A task that was fenced off has no report: another node does it.
                case Result.Failed failed ->
                        wanted.get()
                                ? faultHandler.handle(
                                        attempt,
                                        failed.fault(),
                                        new TaskFaultHandler.PluginCall(kind, began))
                                : new Verdict.Finished();
            };
        }
    }

    private static Result perform(ReservationTask task, Acting acting, Assignment assignment) {
        return switch (task) {
            case PluginTask.Prepare _ -> acting.prepare(assignment);
            case PluginTask.Start _ -> acting.onStart(assignment);
            case PluginTask.Adjust adjust -> adjust(adjust, acting, assignment);
            case PluginTask.BeforeEnd _ -> acting.beforeEnd(assignment);
            case PluginTask.End _ -> acting.onEnd(assignment);
        };
    }

    private static Result adjust(PluginTask.Adjust task, Acting acting, Assignment assignment) {
        List<ResourceMove> moves = task.moves();
        return moves == null
                ? acting.onAdjust(assignment, task.leaving())
                : acting.onAdjust(
                        assignment,
                        task.leaving(),
                        moves.stream()
                                .flatMap(
                                        move ->
                                                Replacement.find(
                                                        move.from(),
                                                        move.to(),
                                                        task.leaving(),
                                                        assignment.resources())
                                                        .stream())
                                .toList());
    }

    private static Result perform(ResourceTask task, Acting acting) {
        return switch (task) {
            case PluginTask.Enrol _ -> acting.enrol(task.resource(), task.name());
            case PluginTask.Retire _ -> acting.retire(task.resource(), task.name());
        };
    }

    // The compiler leaves the type annotations of a compact constructor out of the class file. The
    // checker therefore takes the values of the parameters for never null; they may be.
    @SuppressWarnings("NullAway")
    private static Assignment assignment(
            LeaseView lease,
            ReservationView reservation,
            Acting.Fence fence,
            Acting.Others others,
            @Nullable TrustId trust) {
        return new Assignment(
                lease.id(),
                reservation.id(),
                lease.projectId(),
                lease.userId(),
                lease.period(),
                reservation.parameters(),
                reservation.allocations(),
                fence,
                others,
                trust);
    }
}
