package org.leasehold.resource.simulator.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.server.SimulatedServer;
import org.leasehold.resource.simulator.stack.SimulatedStack;

/** Enum constants that are values of the simulated cloud's columns. */
class StoredConstantsTest {

    @Test
    void the_states_of_servers_and_stacks_are_fixed() {
        assertThat(SimulatedServer.State.values())
                .extracting(Enum::name)
                .containsExactly("ACTIVE", "SHUTOFF", "SUSPENDED", "SHELVED_OFFLOADED");
        assertThat(SimulatedStack.State.values())
                .extracting(Enum::name)
                .containsExactly("COMPLETE", "SUSPENDED");
    }

    @Test
    void the_names_of_injected_faults_are_fixed() {
        assertThat(InjectedFault.values())
                .extracting(Enum::name)
                .containsExactly(
                        "REFUSE",
                        "EXHAUSTED",
                        "BROKEN",
                        "UNAVAILABLE",
                        "TIME_OUT_BEFORE",
                        "TIME_OUT_AFTER");
    }
}
