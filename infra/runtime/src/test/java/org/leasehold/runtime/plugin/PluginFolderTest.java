package org.leasehold.runtime.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.PluginJar;
import org.leasehold.resource.PluginRegistry;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.runtime.setting.InvalidSettingException;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

class PluginFolderTest {

    private static final Path SAMPLE = Path.of("..", "tools", "sample-plugin");

    private static final String SERVICES =
            "META-INF/services/org.leasehold.resource.ResourcePluginProvider";

    @TempDir private Path folder;
    @TempDir private Path work;
    private Path plugins;

    @BeforeEach
    void createFolder() throws IOException {
        plugins = Files.createDirectory(folder.resolve("plugins"));
    }

    @Test
    void all_jars_of_the_folder_are_on_the_class_path_of_plugins() throws IOException {
        add("boats.jar", "Boats", "return null;");
        Files.move(PluginJar.build(SAMPLE, work), plugins.resolve("parking.jar"));
        Files.writeString(plugins.resolve("README"), "not a jar");

        assertThat(ServiceLoader.load(ResourcePluginProvider.class, load()))
                .extracting(ResourcePluginProvider::name)
                .contains("boats", "parking");
    }

    @Test
    void an_error_of_a_plugin_names_the_jar() throws IOException {
        add("boats.jar", "Boats", "throw new IllegalStateException(\"a boat sinks\");");

        assertThatThrownBy(() -> PluginRegistry.load(load(), Map.of()))
                .hasMessage("The plugin boats (in boats.jar) cannot start: a boat sinks");
    }

    @Test
    void a_plugin_of_another_engine_version_names_the_jar() throws IOException {
        add("boats.jar", "Boats", "throw new NoSuchMethodError(\"sail\");");

        assertThatThrownBy(() -> PluginRegistry.load(load(), Map.of()))
                .hasMessageStartingWith(
                        "The plugin boats (in boats.jar) does not fit this version of the engine")
                .hasMessageContaining("sail");
    }

    @Test
    void two_plugins_with_one_name_are_reported_with_their_jars() throws IOException {
        add("boats.jar", "Boats", "return null;");
        add("ships.jar", "Ships", "return null;");

        assertThatThrownBy(() -> PluginRegistry.load(load(), Map.of()))
                .hasMessageContainingAll("(in boats.jar)", "(in ships.jar)");
    }

    @Test
    void two_plugins_for_one_kind_are_reported_with_their_jars() throws IOException {
        String create =
                """
                return new ResourcePlugin() {
                    public org.leasehold.inventory.ResourceKind kind() {
                        return new org.leasehold.inventory.ResourceKind("boat");
                    }

                    public org.leasehold.resource.Planning planning() {
                        return null;
                    }

                    public org.leasehold.resource.Acting acting() {
                        return null;
                    }
                };
                """;
        add("boats.jar", "Boats", create);
        add("canoes.jar", "Canoes", create, "parts.Canoes", "canoes");

        assertThatThrownBy(() -> PluginRegistry.load(load(), Map.of()))
                .hasMessage(
                        "The plugins boats (in boats.jar) and canoes (in canoes.jar) are both for"
                                + " boat; set enabled=false for one of them");
    }

    @Test
    void a_file_that_is_not_a_jar_is_named() throws IOException {
        Files.writeString(plugins.resolve("boats.jar"), "boats");

        assertRefused("boats.jar is not a jar");
    }

    @Test
    void a_missing_class_is_reported_with_the_jar() throws IOException {
        add("boats.jar", "Boats", "return null;", "parts.Absent");

        assertRefused("boats.jar names the provider parts.Absent, but lacks this class");
    }

    @Test
    void a_class_that_is_no_provider_is_reported_with_the_jar() throws IOException {
        add("boats.jar", "Boats", "return null;", "java.lang.Object");

        assertRefused("boats.jar: the class java.lang.Object does not implement");
    }

    @Test
    void a_provider_in_two_jars_is_reported_with_both() throws IOException {
        add("boats-1.jar", "Boats", "return null;");
        Files.copy(plugins.resolve("boats-1.jar"), plugins.resolve("boats-2.jar"));

        assertRefused("boats-1.jar and boats-2.jar both have parts.Boats");
    }

    @Test
    void a_missing_folder_is_named() throws IOException {
        Files.delete(plugins);

        assertRefused("there is no folder " + plugins);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxr-x", "rwxr-xrwx"})
    void a_folder_that_other_accounts_can_change_is_refused(String mode) throws IOException {
        setMode(plugins, mode);
        assertRefused("other accounts can write to " + plugins.toRealPath());

        setMode(plugins, "rwx------");
        setMode(folder, mode);
        assertRefused("other accounts can write to " + folder.toRealPath() + ":");
    }

    @Test
    void a_jar_that_other_accounts_can_change_is_refused() throws IOException {
        add("boats.jar", "Boats", "return null;");
        setMode(plugins.resolve("boats.jar"), "rw-rw-rw-");
        assertRefused("boats.jar: check what is in it");

        Files.move(plugins.resolve("boats.jar"), work.resolve("boats.jar"));
        Files.createSymbolicLink(plugins.resolve("boats.jar"), work.resolve("boats.jar"));
        assertRefused("other accounts can write to " + work.toRealPath() + "/boats.jar");
    }

    @Test
    void a_linked_jar_in_a_folder_that_other_accounts_can_change_is_refused() throws IOException {
        Path elsewhere = Files.createDirectory(work.resolve("elsewhere"));
        link(elsewhere);
        setMode(elsewhere, "rwxrwxrwx");

        assertRefused("other accounts can write to " + elsewhere.toRealPath() + ":");
    }

    @Test
    void the_file_that_was_checked_is_opened_and_not_the_link() throws IOException {
        link(work);

        assertThat(((URLClassLoader) load()).getURLs())
                .extracting(URL::getPath)
                .containsExactly(work.toRealPath().resolve("boats.jar").toString());
    }

    @Test
    void a_jar_with_a_class_path_is_refused() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "sails.jar");
        new JarOutputStream(Files.newOutputStream(plugins.resolve("boats.jar")), manifest).close();

        assertRefused("boats.jar has a Class-Path in its manifest");
    }

    /** Links the name of a jar in the folder of plug-ins to a jar elsewhere. */
    private void link(Path elsewhere) throws IOException {
        add("boats.jar", "Boats", "return null;");
        Path jar = elsewhere.resolve("boats.jar");
        Files.move(plugins.resolve("boats.jar"), jar);
        Files.createSymbolicLink(plugins.resolve("boats.jar"), jar);
    }

    private void assertRefused(String problem) {
        assertThatThrownBy(this::load)
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("leasehold.plugins.folder: ")
                .hasMessageContaining(problem);
    }

    private ClassLoader load() {
        return PluginFolder.loader(plugins, PluginFolderTest.class.getClassLoader());
    }

    private static void setMode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    /** Adds a jar with a plug-in of the name boats. */
    private void add(String jar, String type, String create) throws IOException {
        add(jar, type, create, "parts." + type);
    }

    private void add(String jar, String type, String create, String provider) throws IOException {
        add(jar, type, create, provider, "boats");
    }

    private void add(String jar, String type, String create, String provider, String name)
            throws IOException {
        Path project = Files.createTempDirectory(work, "project");
        Path source = project.resolve("src/main/java/parts/" + type + ".java");
        Path services = project.resolve("src/main/resources/" + SERVICES);
        Files.createDirectories(source.getParent());
        Files.createDirectories(services.getParent());
        Files.writeString(services, "# comment\n" + provider + "\n");
        Files.writeString(
                source,
                """
                package parts;

                import org.leasehold.resource.ResourcePlugin;
                import org.leasehold.resource.ResourcePluginProvider;

                public final class %s implements ResourcePluginProvider {
                    public String name() {
                        return "%s";
                    }

                    public ResourcePlugin create(java.util.Map<String, String> settings) {
                        %s
                    }
                }
                """
                        .formatted(type, name, create));
        Path built = PluginJar.build(project, Files.createDirectory(project.resolve("built")));
        Files.move(built, plugins.resolve(jar), StandardCopyOption.REPLACE_EXISTING);
    }
}
