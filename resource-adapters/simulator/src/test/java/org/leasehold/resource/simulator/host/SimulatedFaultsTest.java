package org.leasehold.resource.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;

import java.time.Duration;
import java.util.Optional;

/** The faults that a test injects, and the settings of the cloud. */
class SimulatedFaultsTest extends SimulatedHostsFixture {

    @Test
    void each_injected_fault_maps_to_a_fault_kind() {
        assertThat(faultOf(InjectedFault.REFUSE)).isEqualTo(Fault.Kind.DENIED);
        assertThat(faultOf(InjectedFault.EXHAUSTED)).isEqualTo(Fault.Kind.INSUFFICIENT_RESOURCES);
        assertThat(faultOf(InjectedFault.BROKEN)).isEqualTo(Fault.Kind.PERMANENT);
        assertThat(faultOf(InjectedFault.UNAVAILABLE)).isEqualTo(Fault.Kind.RETRYABLE);
        assertThat(faultOf(InjectedFault.TIME_OUT_BEFORE)).isEqualTo(Fault.Kind.RETRYABLE);
        assertThat(faultOf(InjectedFault.TIME_OUT_AFTER)).isEqualTo(Fault.Kind.RETRYABLE);
    }

    private Fault.Kind faultOf(InjectedFault misbehaviour) {
        cloud.addBehaviorRule(BehaviorRule.failing("start", misbehaviour));
        Result result = acting().onStart(assignment("compute-1"));
        cloud.clearBehaviorRules();
        acting().onEnd(assignment("compute-1"));
        return ((Result.Failed) result).fault().kind();
    }

    @Test
    void a_behavior_rule_applies_only_to_one_host_and_a_number_of_calls() {
        cloud.addBehaviorRule(
                BehaviorRule.failing("start.add_host", InjectedFault.UNAVAILABLE)
                        .onHost("compute-2")
                        .withSkip(1)
                        .times(2));

        Assignment first = assignment("compute-1");
        assertThat(acting().onStart(first)).isEqualTo(started(first));
        Assignment second = assignment("compute-2");
        assertThat(acting().onStart(second)).as("is let pass").isEqualTo(started(second));
        acting().onEnd(second);
        Assignment third = assignment("compute-2");
        assertThat(acting().onStart(third)).isInstanceOf(Result.Failed.class);
        assertThat(acting().onStart(third)).isInstanceOf(Result.Failed.class);
        assertThat(acting().onStart(third)).isEqualTo(started(third));
    }

    @Test
    void a_behavior_rule_with_probability_zero_never_applies() {
        cloud.addBehaviorRule(BehaviorRule.failing("*", InjectedFault.BROKEN).withProbability(0));

        Assignment assignment = assignment("compute-1");
        assertThat(acting().onStart(assignment)).isEqualTo(started(assignment));
    }

    @Test
    void a_slow_operation_takes_at_least_the_configured_time() {
        cloud.addBehaviorRule(BehaviorRule.slow("start", Duration.ofMillis(150)));

        long before = System.nanoTime();
        acting().onStart(assignment("compute-1"));

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isGreaterThanOrEqualTo(Duration.ofMillis(150));
    }

    @Test
    void an_error_names_an_unknown_invalid_or_missing_setting() {
        assertRefused("colour", "red");
        assertRefused("hosts", "many");
        assertRefused("hosts", "-1");
        settings.remove("url");
        assertThatThrownBy(() -> new SimulatedHostsProvider().create(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("url");
    }

    private void assertRefused(String key, String value) {
        @Nullable String old = settings.put(key, value);
        assertThatThrownBy(() -> new SimulatedHostsProvider().create(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
        Optional.ofNullable(old)
                .ifPresentOrElse(
                        original -> settings.put(key, original), () -> settings.remove(key));
    }

    @Test
    void each_change_takes_effect_exactly_once_despite_retries() {
        Assignment assignment = assignment("compute-1");
        cloud.addBehaviorRule(BehaviorRule.failing("*.*", InjectedFault.TIME_OUT_AFTER));

        int calls = 1;
        while (acting().onStart(assignment) instanceof Result.Failed) {
            calls++;
        }
        cloud.clearBehaviorRules();
        acting().onEnd(assignment);
        acting().onEnd(assignment);

        assertThat(calls).isEqualTo(4);
        assertThat(cloud.effects(assignment.reservation()))
                .extracting(SimulatedCloud.Effect::operation)
                .containsExactly(
                        "create_aggregate",
                        "add_host",
                        "leave_freepool",
                        "enter_freepool",
                        "remove_host",
                        "delete_aggregate");
    }
}
