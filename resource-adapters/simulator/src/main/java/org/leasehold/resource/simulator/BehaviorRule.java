package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * A rule for the behaviour of operations of the simulated cloud.
 *
 * <p>An operation is either a whole call of the plug-in ({@code start}, {@code adjust}, {@code
 * before_end}, {@code end}, {@code discover}, {@code enrol}, {@code retire}, {@code find_flavor})
 * or one step of it ({@code start.add_host}, {@code end.delete_server}, {@code adjust.move_server},
 * …).
 *
 * @param operations a pattern of operations; {@code *} stands for any text, as in {@code start.*}
 * @param host restricts it to this host; null for all
 * @param latency the additional duration of each operation
 * @param fault the failure of the operation; null for only slow
 * @param probability the probability that the rule applies, from 0 to 1
 * @param skip the number of operations before the rule applies
 * @param times the number of operations to which it applies; empty for all
 */
public record BehaviorRule(
        String operations,
        @Nullable String host,
        Duration latency,
        @Nullable InjectedFault fault,
        double probability,
        int skip,
        OptionalInt times) {

    /** Returns a rule by which operations take longer. */
    public static BehaviorRule slow(String operations, Duration latency) {
        return new BehaviorRule(operations, null, latency, null, 1, 0, OptionalInt.empty());
    }

    /** Returns a rule by which operations fail. */
    public static BehaviorRule failing(String operations, InjectedFault fault) {
        return new BehaviorRule(operations, null, Duration.ZERO, fault, 1, 0, OptionalInt.empty());
    }

    public BehaviorRule onHost(String name) {
        return new BehaviorRule(operations, name, latency, fault, probability, skip, times);
    }

    public BehaviorRule withProbability(double newProbability) {
        return new BehaviorRule(operations, host, latency, fault, newProbability, skip, times);
    }

    public BehaviorRule withSkip(int newSkip) {
        return new BehaviorRule(operations, host, latency, fault, probability, newSkip, times);
    }

    public BehaviorRule times(int newTimes) {
        return new BehaviorRule(
                operations, host, latency, fault, probability, skip, OptionalInt.of(newTimes));
    }
}
