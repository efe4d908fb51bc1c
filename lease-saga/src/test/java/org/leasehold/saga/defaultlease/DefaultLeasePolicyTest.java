package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.defaultlease.FakeServers.id;
import static org.leasehold.saga.defaultlease.FakeServers.server;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeasableObject.State;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

class DefaultLeasePolicyTest {

    private static final Assessment AFFECTED = new Assessment.Affected();

    private final Map<String, String> settings = new HashMap<>(Map.of("projects", "all"));

    @Test
    void a_server_without_a_lease_is_affected() {
        assertThat(assess(server(id(1)))).isEqualTo(AFFECTED);
        settings.put("projects", "biology,astronomy");
        assertThat(assess(server(id(1)))).isEqualTo(AFFECTED);
    }

    @Test
    void a_leased_server_is_leased_whatever_the_settings_say() {
        settings.put("projects", "");
        assertThat(policy().assess(server(id(1)), LEASE, true, NOON))
                .isEqualTo(new Assessment.Leased(LEASE));
    }

    @Test
    void a_project_that_the_settings_do_not_name_is_exempt() {
        settings.put("projects", "biology");
        assertExempt(server(id(1)), "The settings do not name the project");
        settings.put("projects", "");
        assertExempt(server(id(1)), "The settings do not name the project");
    }

    @Test
    void an_exempt_project_flavor_or_metadata_key_exempts_a_server() {
        settings.put("exempt-projects", "astronomy");
        assertExempt(server(id(1)), "The project is exempt");
        settings.remove("exempt-projects");
        settings.put("exempt-flavors", "m1.tiny,m1.small");
        assertExempt(server(id(1)), "The flavor is exempt");
        settings.remove("exempt-flavors");
        settings.put("exempt-metadata", "keep");
        assertExempt(tagged(Map.of("keep", "")), "The server has the exempt metadata key");
        assertThat(assess(tagged(Map.of("kept", "yes")))).isEqualTo(AFFECTED);
    }

    @Test
    void a_shelved_server_is_exempt() {
        assertExempt(inState(State.SHELVED), "The server is shelved");
    }

    @Test
    void a_server_that_is_not_ready_is_pending() {
        assertThat(assess(inState(State.UNREADY)))
                .isEqualTo(new Assessment.Pending("The server is not ready"));
    }

    @Test
    void a_server_on_a_leased_host_cannot_be_leased() {
        assertThat(assess(server(id(1), Map.of(), null, State.READY, "The host is leased")))
                .isEqualTo(new Assessment.Unleasable("The host is leased"));
    }

    @Test
    void a_server_is_affected_from_the_grace_period_on() {
        settings.put("grace", "15m");
        Duration grace = Duration.ofMinutes(15);
        Assessment young = new Assessment.Pending("The server is younger than the grace period");
        assertThat(assess(created(NOON))).isEqualTo(young);
        assertThat(assess(created(NOON.minus(grace).plusNanos(1)))).isEqualTo(young);
        assertThat(assess(created(NOON.minus(grace)))).isEqualTo(AFFECTED);
        assertThat(assess(created(null))).isEqualTo(AFFECTED);
    }

    @Test
    void a_creation_in_the_far_future_delays_no_lease() {
        settings.put("grace", "15m");
        assertThat(assess(created(NOON.plus(Duration.ofMinutes(1)))))
                .isInstanceOf(Assessment.Pending.class);
        assertThat(assess(created(NOON.plus(Duration.ofMinutes(15))))).isEqualTo(AFFECTED);
    }

    @Test
    void an_open_lease_tag_comes_before_a_default_lease() {
        LeasableObject tagged = tagged(Map.of("lease_params", "{}"));
        assertThat(policy().assess(tagged, null, true, NOON))
                .isEqualTo(new Assessment.Pending("The server has a lease tag"));
        assertThat(policy().assess(tagged, null, false, NOON)).isEqualTo(AFFECTED);
    }

    private void assertExempt(LeasableObject server, String reason) {
        assertThat(assess(server)).isEqualTo(new Assessment.Exempt(reason));
    }

    private Assessment assess(LeasableObject server) {
        return policy().assess(server, null, false, NOON);
    }

    private DefaultLeasePolicy policy() {
        return new DefaultLeasePolicy(DefaultLeaseSettingsTest.bind(settings));
    }

    private static LeasableObject tagged(Map<String, String> metadata) {
        return server(id(1), metadata, null, State.READY, null);
    }

    private static LeasableObject inState(State state) {
        return server(id(1), Map.of(), null, state, null);
    }

    private static LeasableObject created(@Nullable Instant at) {
        return server(id(1), Map.of(), at, State.READY, null);
    }
}
