package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.task.PluginTask.ReservationTask;
import org.leasehold.saga.task.PluginTask.ResourceTask;
import org.leasehold.saga.task.PluginTask.TenureTask;
import org.leasehold.saga.trust.KnownTrusts;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs a task when it is ready: it calls the plug-in, and reports the result. */
final class TaskRunner {

    /** The time that a task waits in its thread, and the pause before the next attempt. */
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

    /** The pause before the next poll of the cloud's ongoing work. */
    private static final Duration CLOUD_POLL_INTERVAL = Duration.ofSeconds(2);

    /** Leases with these statuses may hold resources. */
    private static final Set<LeaseStatus> HOLDING_STATUSES =
            EnumSet.complementOf(
                    EnumSet.of(LeaseStatus.PENDING, LeaseStatus.DELAYED, LeaseStatus.ENDED));

    private static final int PAGE_SIZE = 1_000;

    /**
     * The last time before the start at which a preparation begins: the start would wait for it,
     * and is retried only for so long.
     */
    private static final Duration MIN_TIME_BEFORE_START = Duration.ofMinutes(5);

    private final Leases leases;
    private final Resources resources;
    private final CurrentTenures tenures;
    private final Plugins plugins;
    private final KnownTrusts trusts;
    private final PluginCallLimiter callLimiter;
    private final TaskRetryPolicy retryPolicy;
    private final TaskReporter reporter;
    private final PluginOutages outages;
    private final Clock clock;

    TaskRunner(
            World world,
            PluginCallLimiter calls,
            TaskRetryPolicy patience,
            TaskReporter reports,
            PluginOutages outages,
            Clock clock) {
        this.leases = world.leases();
        this.resources = world.resources();
        this.tenures = world.tenures();
        this.plugins = world.plugins();
        this.trusts = world.trusts();
        this.callLimiter = calls;
        this.retryPolicy = patience;
        this.reporter = reports;
        this.outages = outages;
        this.clock = clock;
    }

    /** The state that a task reads before it acts. */
    record World(
            Leases leases,
            Resources resources,
            CurrentTenures tenures,
            Plugins plugins,
            KnownTrusts trusts) {}

    /**
     * A task with its attempts so far.
     *
     * @param attempts the number of failed attempts
     * @param failingSince the time of the first failure; null if it has not failed
     * @param mine whether no other node has taken the task since, or done it
     */
    record Attempt(
            SubmittedTask submitted,
            int attempts,
            @Nullable Instant failingSince,
            BooleanSupplier mine) {

        /** Returns the first failure; a long first attempt does not shorten the time to retry. */
        Instant failingSince(Instant now) {
            return failingSince == null ? now : failingSince;
        }

        PluginTask task() {
            return submitted.task();
        }
    }

    /**
     * Runs a task.
     *
     * @throws InterruptedException if this process is about to stop
     */
    Verdict run(Attempt attempt) throws InterruptedException {
        return switch (attempt.task()) {
            case ReservationTask task -> runFor(task, attempt);
            case ResourceTask task -> runFor(task, attempt);
        };
    }

    private Verdict runFor(ReservationTask task, Attempt attempt) throws InterruptedException {
        Optional<LeaseView> lease = leases.find(task.lease(), null);
        Optional<ReservationView> reservation =
                lease.flatMap(found -> reservation(found, task.reservation()));
        if (lease.isEmpty() || reservation.isEmpty()) {
            return handleMissing(task, attempt);
        }
        // If another process did the start, this one stops. That also holds while the end, which
        // still needs the resources, is retried.
        Acting.Fence fence = () -> attempt.mine().getAsBoolean() && isStillWanted(task);
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
                        new Others(lease.get().projectId(), reservation.get()),
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
                                earliestStart(lease.get(), reservation.get())));
    }

    /** Returns the earliest start; a reservation may have joined a lease that runs. */
    private static Instant earliestStart(LeaseView lease, ReservationView reservation) {
        Instant start = lease.period().start();
        return start.isAfter(reservation.createdAt()) ? start : reservation.createdAt();
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
    private Result endUnannounced(Attempt attempt, Acting acting, Assignment assignment) {
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
    private Verdict handleMissing(ReservationTask task, Attempt attempt) {
        return task instanceof TenureTask held && tenures.isCurrent(held.tenure())
                ? handleFault(
                        attempt,
                        new Fault(Fault.Kind.RETRYABLE, "the lease is not to be found"),
                        null)
                : new Verdict.Finished();
    }

    private Verdict runFor(ResourceTask task, Attempt attempt) throws InterruptedException {
        return callPlugin(
                task.kind(),
                attempt,
                () -> isStillWanted(task),
                acting -> perform(task, acting),
                _ -> {});
    }

    private Verdict callPlugin(
            ResourceKind kind,
            Attempt attempt,
            Supplier<Boolean> wanted,
            Function<Acting, Result> action,
            Consumer<Result.Done> report)
            throws InterruptedException {
        Optional<ResourcePlugin> plugin = plugins.find(kind);
        if (plugin.isEmpty()) {
            String message = "no plugin for " + kind + " is switched on";
            return handleFault(attempt, new Fault(Fault.Kind.RETRYABLE, message), null);
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
                                ? handleFault(attempt, failed.fault(), new PluginCall(kind, began))
                                : new Verdict.Finished();
            };
        }
    }

    private static Result perform(ReservationTask task, Acting acting, Assignment assignment) {
        return switch (task) {
            case PluginTask.Prepare _ -> acting.prepare(assignment);
            case PluginTask.Start _ -> acting.onStart(assignment);
            case PluginTask.Adjust adjust -> acting.onAdjust(assignment, adjust.leaving());
            case PluginTask.BeforeEnd _ -> acting.beforeEnd(assignment);
            case PluginTask.End _ -> acting.onEnd(assignment);
        };
    }

    private static Result perform(ResourceTask task, Acting acting) {
        return switch (task) {
            case PluginTask.Enrol _ -> acting.enrol(task.resource(), task.name());
            case PluginTask.Retire _ -> acting.retire(task.resource(), task.name());
        };
    }

    private boolean isStillWanted(ReservationTask task) {
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

    private boolean isStillWanted(ResourceTask task) {
        return switch (task) {
            case PluginTask.Enrol _ -> resources.find(task.resource()).isPresent();
            // The name may have been enrolled again, which must not be undone.
            case PluginTask.Retire _ ->
                    resources.list(task.kind()).stream()
                            .noneMatch(enrolled -> enrolled.name().equals(task.name()));
        };
    }

    /** A call of a plug-in. */
    private record PluginCall(ResourceKind kind, Instant began) {}

    /**
     * Decides what follows from a fault.
     *
     * @param call the call that failed; null if no plug-in was called
     */
    private Verdict handleFault(Attempt attempt, Fault fault, @Nullable PluginCall call) {
        if (fault.kind() == Fault.Kind.UNDERWAY) {
            return new Verdict.NotYet(clock.instant().plus(CLOUD_POLL_INTERVAL));
        }
        Instant now = clock.instant();
        TaskRetryPolicy.Advice advice =
                retryPolicy.decide(
                        attempt.task(),
                        fault,
                        attempt.attempts() + 1,
                        attempt.failingSince(now),
                        now);
        reporter.reportFailed(attempt, fault, advice);
        return switch (advice) {
            case TaskRetryPolicy.Advice.Retry(var planned)
                    when call != null && fault.kind() == Fault.Kind.RETRYABLE ->
                    new Verdict.Again(
                            outages.retryTime(
                                    call.kind(), attempt.task().key(), call.began(), planned),
                            fault.message(),
                            call.kind());
            case TaskRetryPolicy.Advice.Retry(var planned) ->
                    new Verdict.Again(planned, fault.message(), null);
            case TaskRetryPolicy.Advice.Report _ -> new Verdict.GivenUp(fault.message());
            case TaskRetryPolicy.Advice.Forget _ -> new Verdict.Finished();
        };
    }

    /** Reservations that hold resources now, as seen by one of a project. */
    private final class Others implements Acting.Others {

        private final ProjectId project;
        private final ReservationView own;

        Others(ProjectId project, ReservationView own) {
            this.project = project;
            this.own = own;
        }

        @Override
        public Optional<Map<String, @Nullable Object>> requestOf(ReservationId holder) {
            return tenures.leaseOf(holder)
                    .flatMap(lease -> leases.find(lease, null))
                    .flatMap(lease -> reservation(lease, holder))
                    .map(ReservationView::parameters);
        }

        @Override
        public List<Acting.Other> findHolders(String parameter, Object value) {
            List<Acting.Other> others = new ArrayList<>();
            ListLeases question =
                    new ListLeases(
                            project,
                            HOLDING_STATUSES,
                            null,
                            SortDirection.ASCENDING,
                            null,
                            PAGE_SIZE);
            Page<LeaseView> page = leases.list(question);
            while (true) {
                page.items().stream()
                        .flatMap(lease -> lease.reservations().stream())
                        .filter(other -> !other.id().equals(own.id()))
                        .filter(other -> other.kind().equals(own.kind()))
                        .filter(other -> value.equals(other.parameters().get(parameter)))
                        .filter(other -> tenures.leaseOf(other.id()).isPresent())
                        .map(other -> new Acting.Other(other.id(), isStarting(other)))
                        .forEach(others::add);
                String next = page.next();
                if (next == null) {
                    return others;
                }
                page = leases.list(question.after(next));
            }
        }

        private static boolean isStarting(ReservationView other) {
            return other.status() == ReservationView.Status.PENDING;
        }
    }

    private static Optional<ReservationView> reservation(LeaseView lease, ReservationId id) {
        return lease.reservations().stream().filter(r -> r.id().equals(id)).findFirst();
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
