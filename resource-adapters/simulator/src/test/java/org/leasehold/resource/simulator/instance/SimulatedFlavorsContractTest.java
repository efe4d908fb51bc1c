package org.leasehold.resource.simulator.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.lease.Fault;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.vocabulary.ProjectId;

import java.util.HashMap;
import java.util.Map;

/** The contract for instances that are requested by a flavor. */
class SimulatedFlavorsContractTest extends InstancesContract {

    private static final ProjectId OTHER = new ProjectId("other");

    SimulatedFlavorsContractTest() {
        super(new WithFlavors());
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return wish("whole");
    }

    private static Map<String, @Nullable Object> wish(String flavor) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("flavor_id", flavor);
        parameters.put("amount", 2);
        parameters.put("affinity", null);
        return parameters;
    }

    private Completion complete(String flavor, ProjectId project) {
        return plugin().requestCompleter()
                .orElseThrow()
                .complete(
                        wish(flavor), Map.of(), new RequestCompleter.Asker(project, null, "req-1"));
    }

    @Test
    void a_private_flavor_is_found_only_for_the_owning_project() {
        assertThat(complete("theirs", OTHER)).isInstanceOf(Completion.Complete.class);
        assertThat(complete("theirs", project())).isInstanceOf(Completion.NotFound.class);
        assertThat(complete("none", OTHER)).isInstanceOf(Completion.NotFound.class);
    }

    @Test
    void a_flavor_lookup_is_retryable_while_the_cloud_does_not_answer() {
        cloud().addBehaviorRule(BehaviorRule.failing("find_flavor", InjectedFault.TIME_OUT_BEFORE));

        assertThat(complete("whole", OTHER))
                .isInstanceOfSatisfying(
                        Completion.Unknown.class,
                        unknown ->
                                assertThat(unknown.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m1.tiny", "m1.tiny=1/512", "m1.tiny=0/512/1", "a=1/1/1;b=1/1/1"})
    void the_plugin_rejects_an_invalid_flavors_setting(String list) {
        assertThatThrownBy(() -> new SimulatedFlavorsProvider().create(Map.of("flavors", list)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the setting flavors is a list such as");
    }

    /** A provider with a flavor that needs a whole host, and one of another project. */
    private static final class WithFlavors implements ResourcePluginProvider {

        private final ResourcePluginProvider provider = new SimulatedFlavorsProvider();

        @Override
        public String name() {
            return provider.name();
        }

        @Override
        public ResourcePlugin create(Map<String, String> settings) {
            Map<String, String> own = new HashMap<>(settings);
            int vcpus = SimulatedHost.ofNumber(1).vcpus();
            own.put("flavors", "whole=" + vcpus + "/1024/1, theirs=1/512/0@other");
            return provider.create(own);
        }
    }
}
