package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.ResourcePlugin;

import java.lang.reflect.Method;
import java.util.stream.Stream;

class PluginGateTest {

    /** A test of a hidden part would wait for ever. */
    @Test
    void a_gate_hides_no_part_of_a_plugin() {
        assertThat(names(PluginGate.GatedPlugin.class)).contains(names(ResourcePlugin.class));
    }

    private static String[] names(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .toArray(String[]::new);
    }
}
