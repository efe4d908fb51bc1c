package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.stream.Collectors.joining;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

class PluginRegistryTest {

    private static final Map<String, Map<String, String>> NO_SETTINGS = Map.of();

    @TempDir private Path classPath;

    @BeforeEach
    void forget() {
        Boats.settings = Map.of();
        Idle.closed.clear();
    }

    @Test
    void a_plugin_on_the_class_path_adds_a_kind() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class, Cars.class);
                PluginRegistry plugins = PluginRegistry.load(loader, NO_SETTINGS)) {
            assertThat(plugins.kinds()).containsExactly("boat", "car");
            assertThat(plugins.find(new ResourceKind("boat")))
                    .hasValueSatisfying(
                            plugin -> assertThat(plugin.kind().value()).isEqualTo("boat"));
            assertThat(plugins.find(new ResourceKind("plane"))).isEmpty();
        }
    }

    @Test
    void a_disabled_plugin_is_not_created() throws IOException {
        try (URLClassLoader loader = loaderOf(Cars.class, Broken.class);
                PluginRegistry plugins =
                        PluginRegistry.load(loader, Map.of("broken", Map.of("enabled", "false")))) {
            assertThat(plugins.kinds()).containsExactly("car");
        }
    }

    @Test
    void a_plugin_gets_the_plugin_settings_without_the_enabled_flag() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class, Cars.class);
                PluginRegistry plugins =
                        PluginRegistry.load(
                                loader,
                                Map.of("boats", Map.of("enabled", "true", "harbour", "north")))) {
            assertThat(plugins.kinds()).contains("boat");
            assertThat(Boats.settings).isEqualTo(Map.of("harbour", "north"));
        }
    }

    @Test
    void two_plugins_for_one_kind_prevent_startup_and_are_named() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class, Ships.class)) {
            assertThatThrownBy(() -> PluginRegistry.load(loader, NO_SETTINGS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("boats", "ships");
        }
        assertThat(Idle.closed).containsExactly("boat", "boat");
    }

    @Test
    void two_plugins_with_one_name_prevent_startup() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class, OtherBoats.class)) {
            assertThatThrownBy(() -> PluginRegistry.load(loader, NO_SETTINGS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(Boats.class.getName(), OtherBoats.class.getName());
        }
    }

    @Test
    void a_broken_plugin_prevents_startup_and_other_plugins_are_closed() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class, Broken.class)) {
            assertThatThrownBy(() -> PluginRegistry.load(loader, NO_SETTINGS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The plugin broken cannot start: unknown setting sail");
        }
        assertThat(Idle.closed).containsExactly("boat");
    }

    @Test
    void kinds_that_start_after_each_other_prevent_startup_and_are_named() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class, Locks.class, Harbours.class)) {
            assertThatThrownBy(() -> PluginRegistry.load(loader, NO_SETTINGS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("harbour, lock, harbour");
        }
        assertThat(Idle.closed).contains("boat", "harbour", "lock");
    }

    @Test
    void the_order_of_kinds_is_that_of_their_plugins() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class, Cars.class, Locks.class);
                PluginRegistry plugins = PluginRegistry.load(loader, NO_SETTINGS)) {
            StartOrder order = StartOrder.of(plugins);
            ResourceKind lock = new ResourceKind("lock");
            assertThat(order.isAfter(lock, new ResourceKind("harbour"))).isTrue();
            assertThat(order.isAfter(lock, lock)).isFalse();
            assertThat(order.isAfter(new ResourceKind("harbour"), lock)).isFalse();
            assertThat(order.isAfter(new ResourceKind("boat"), new ResourceKind("car"))).isFalse();
        }
    }

    @Test
    void settings_for_an_unknown_plugin_prevent_startup() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class)) {
            assertThatThrownBy(() -> PluginRegistry.load(loader, Map.of("botas", Map.of("a", "b"))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("botas", "[boats]");
        }
    }

    @Test
    void an_invalid_enabled_flag_prevents_startup() throws IOException {
        try (URLClassLoader loader = loaderOf(Boats.class)) {
            assertThatThrownBy(
                            () ->
                                    PluginRegistry.load(
                                            loader, Map.of("boats", Map.of("enabled", "no"))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("boats", "enabled=no");
        }
    }

    private URLClassLoader loaderOf(Class<?>... providers) throws IOException {
        Path services = Files.createDirectories(classPath.resolve("META-INF/services"));
        Files.writeString(
                services.resolve(ResourcePluginProvider.class.getName()),
                Stream.of(providers).map(Class::getName).collect(joining("\n")));
        return new URLClassLoader(new URL[] {url()}, PluginRegistryTest.class.getClassLoader());
    }

    private URL url() throws MalformedURLException {
        return classPath.toUri().toURL();
    }

    public static final class Boats implements ResourcePluginProvider {
        private static Map<String, String> settings = Map.of();

        @Override
        public String name() {
            return "boats";
        }

        @Override
        public ResourcePlugin create(Map<String, String> given) {
            settings = given;
            return new Idle(new ResourceKind("boat"));
        }
    }

    public static final class OtherBoats implements ResourcePluginProvider {
        @Override
        public String name() {
            return "boats";
        }

        @Override
        public ResourcePlugin create(Map<String, String> settings) {
            return new Idle(new ResourceKind("other boat"));
        }
    }

    public static final class Ships implements ResourcePluginProvider {
        @Override
        public String name() {
            return "ships";
        }

        @Override
        public ResourcePlugin create(Map<String, String> settings) {
            return new Idle(new ResourceKind("boat"));
        }
    }

    public static final class Cars implements ResourcePluginProvider {
        @Override
        public String name() {
            return "cars";
        }

        @Override
        public ResourcePlugin create(Map<String, String> settings) {
            return new Idle(new ResourceKind("car"));
        }
    }

    public static final class Locks implements ResourcePluginProvider {
        @Override
        public String name() {
            return "locks";
        }

        @Override
        public ResourcePlugin create(Map<String, String> settings) {
            return new Idle(new ResourceKind("lock"), "harbour");
        }
    }

    public static final class Harbours implements ResourcePluginProvider {
        @Override
        public String name() {
            return "harbours";
        }

        @Override
        public ResourcePlugin create(Map<String, String> settings) {
            return new Idle(new ResourceKind("harbour"), "lock");
        }
    }

    public static final class Broken implements ResourcePluginProvider {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public ResourcePlugin create(Map<String, String> settings) {
            throw new IllegalArgumentException("unknown setting sail");
        }
    }

    private record Idle(ResourceKind kind, Set<ResourceKind> before) implements ResourcePlugin {
        private static final List<String> closed = new ArrayList<>();

        Idle(ResourceKind kind) {
            this(kind, Set.of());
        }

        Idle(ResourceKind kind, String before) {
            this(kind, Set.of(new ResourceKind(before)));
        }

        @Override
        public Planning planning() {
            return new After(before);
        }

        @Override
        public Acting acting() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closed.add(kind.value());
        }
    }

    private record After(Set<ResourceKind> startsAfter) implements Planning {

        @Override
        public Plan plan(Map<String, @Nullable Object> parameters) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Plan change(
                Map<String, @Nullable Object> current,
                Map<String, @Nullable Object> changes,
                boolean running) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<String, @Nullable Object> render(ReservationWish wish) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String plural() {
            return "idle ones";
        }
    }
}
