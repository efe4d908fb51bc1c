package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The sample plug-in, which is not part of this build, against the contract for ours. */
class SamplePluginTest extends ResourcePluginContract {

    private static final ResourceKind PARKING_SPACE = new ResourceKind("sample:parking-space");

    @TempDir private static Path folder;
    private static URLClassLoader loader;

    @TempDir private Path carPark;
    private PluginRegistry plugins;

    @BeforeAll
    static void build() throws IOException {
        Path jar = PluginJar.build(Path.of("../../infra/tools/sample-plugin"), folder);
        loader =
                new URLClassLoader(
                        new URL[] {jar.toUri().toURL()}, SamplePluginTest.class.getClassLoader());
    }

    @AfterAll
    static void unload() throws IOException {
        loader.close();
    }

    @BeforeEach
    void open() {
        plugins = load(Map.of("file", log().toString()));
    }

    @AfterEach
    void close() {
        plugins.close();
    }

    @Test
    void an_external_plugin_adds_a_kind() {
        assertThat(plugins.kinds()).containsExactly("sample:parking-space");
    }

    @Test
    void the_sample_plugin_acts_once_and_keeps_the_state_after_a_restart() throws IOException {
        ReservationId reservation = new ReservationId(UUID.randomUUID());
        Acting.Assignment assignment =
                new Acting.Assignment(
                        new LeaseId(UUID.randomUUID()),
                        reservation,
                        new ProjectId("project-1"),
                        new UserId("user-1"),
                        new LeasePeriod(
                                Instant.parse("2030-01-01T00:00:00Z"),
                                Instant.parse("2030-01-02T00:00:00Z")),
                        Map.of("amount", 1, "covered", false),
                        List.of(new Allocation(new ResourceId(1), "space-1", Map.of())));

        plugin().acting().onStart(assignment);
        close();
        open();
        plugin().acting().onStart(assignment);
        assertThat(plugin().acting().inspect(reservation))
                .containsExactly("space-1 of " + reservation);
        plugin().acting().onEnd(assignment);
        plugin().acting().onEnd(assignment);

        assertThat(Files.readAllLines(log()))
                .containsExactly("given space-1 " + reservation, "taken space-1 " + reservation);
    }

    @Test
    void the_sample_plugin_rejects_missing_and_unknown_settings() {
        assertThatThrownBy(() -> load(Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("parking", "file");
        assertThatThrownBy(() -> load(Map.of("file", "f", "colour", "red")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("parking", "colour");
    }

    @Override
    protected ResourcePlugin plugin() {
        return plugins.find(PARKING_SPACE).orElseThrow();
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("space-1", "space-2", "space-3");
    }

    @Override
    protected String unknownName() {
        return "space-101";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("amount", 2);
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }

    private static PluginRegistry load(Map<String, String> settings) {
        return PluginRegistry.load(loader, Map.of("parking", settings));
    }

    private Path log() {
        return carPark.resolve("parking.log");
    }
}
