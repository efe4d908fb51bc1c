package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.postgres.DataFolderException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;

/** Tests valid, invalid and secret settings. */
@Isolated("sets properties of this process and reads what it prints")
@ExtendWith(OutputCaptureExtension.class)
class SettingsIT {

    private static final String[] VERBOSE = {
        "logging.level.root=INFO",
        "logging.level.org.leasehold=DEBUG",
        "logging.level.org.springframework.security=DEBUG",
        "logging.level.org.springframework.web=DEBUG"
    };

    /** A folder for starts that fail. */
    @TempDir private static Path used;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    leasehold.saga.pollin=1s                   | Unknown settings: leasehold.saga.pollin
                    leasehold.databases.folder=elsewhere       | Unknown settings: leasehold.databases.folder
                    leasehold.gateway.users[0].nmae=somebody   | leasehold.gateway.users[0].nmae
                    leasehold.polling=1s                       | Unknown settings: leasehold.polling
                    leasehold.plugins.simulatro.hosts=3        | settings for the plugin simulatro
                    leasehold.plugins.simulator.host=3         | unknown settings: [host]
                    leasehold.authentication.mehtod=keystone   | leasehold.authentication.mehtod
                    """)
    void an_unknown_setting_prevents_the_start(String setting, String said, CapturedOutput output) {
        assertThatThrownBy(() -> Product.start(used, setting)).isNotNull();

        assertThat(output.getAll()).contains(said);
    }

    @Test
    void an_unknown_system_property_prevents_the_start() {
        System.setProperty("leasehold.saga.task-thread", "3");
        try {
            assertThatThrownBy(() -> Product.start(used))
                    .hasMessage("Unknown settings: leasehold.saga.task-thread");
        } finally {
            System.clearProperty("leasehold.saga.task-thread");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    leasehold.saga.polling=soon               | leasehold.saga.polling
                    leasehold.saga.task-threads=0             | leasehold.saga.task-threads is 0
                    leasehold.calendar.cleaning-time=-1s      | cleaning-time is not negative
                    leasehold.database.connections=1          | leasehold.database.connections
                    leasehold.plugins.simulator.hosts=many    | the setting hosts is a number
                    leasehold.node.roles=query,saga           | saga needs command
                    leasehold.node.roles=commander            | leasehold.node.roles
                    leasehold.authentication.method=kerberos  | leasehold.authentication.method
                    leasehold.authentication.timeout=0s       | leasehold.authentication.timeout
                    """)
    void an_invalid_setting_prevents_the_start(String setting, String said, CapturedOutput output) {
        assertThatThrownBy(() -> Product.start(used, setting)).isNotNull();

        assertThat(output.getAll()).contains(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    leasehold.plugins.simulator.hosts=many          | the setting hosts is a number
                    leasehold.plugins.simulatro.hosts=3             | settings for the plugin simulatro
                    leasehold.plugins.folder=/nowhere               | leasehold.plugins.folder: there is no folder /nowhere
                    leasehold.plugins.openstack-hosts.enabled=true  | openstack-flavors cannot start: the setting auth-url is missing
                    leasehold.authentication.method=keystone        | leasehold.openstack: the setting auth-url is missing
                    leasehold.rating.plans=/nowhere/plans.json      | The file /nowhere/plans.json does not exist (leasehold.rating.plans
                    leasehold.audit.signing-key=/nowhere/key.pem    | The file /nowhere/key.pem does not exist (leasehold.audit
                    leasehold.node.roles=query,saga                 | saga needs command
                    leasehold.saga.polling=soon                     | leasehold.saga.polling
                    leasehold.polling=1s                            | Unknown settings: leasehold.polling
                    """)
    void a_wrong_setting_is_reported_without_a_stack_trace(
            String setting, String said, CapturedOutput output) {
        assertThatThrownBy(() -> Product.start(used, setting)).isNotNull();

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", said)
                .doesNotContain("\tat ");
    }

    /** Starts an engine on free ports, with these settings alone. */
    private static void run(String... settings) {
        Leasehold.application()
                .run(
                        Stream.concat(
                                        Stream.of("--server.port=0", "--leasehold.probes.port=0"),
                                        Stream.of(settings))
                                .toArray(String[]::new));
    }

    @Test
    void an_unreachable_database_is_reported_without_a_stack_trace(CapturedOutput output) {
        assertThatThrownBy(
                        () ->
                                run(
                                        "--leasehold.database.url=jdbc:postgresql://127.0.0.1:9/none",
                                        "--leasehold.database.user=leasehold",
                                        "--leasehold.database.password=not for the log"))
                .isNotNull();

        assertThat(output.getAll())
                .contains("The database does not answer", "leasehold.database.url")
                .doesNotContain("\tat ", "not for the log");
    }

    @Test
    void a_folder_name_outside_the_locale_is_reported_without_a_stack_trace(CapturedOutput output) {
        // With LC_ALL=C, the JVM reads each byte of a name that is not ASCII as this character.
        String unreadable = folder + "/d\uFFFDt\uFFFD";

        assertThatThrownBy(() -> run("--leasehold.database.folder=" + unreadable))
                .isInstanceOf(DataFolderException.class);

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "set LC_ALL=C.UTF-8")
                .doesNotContain("\tat ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_second_engine_on_a_folder_is_refused_and_changes_no_file(CapturedOutput output)
            throws IOException {
        try (Product first = Product.start(folder)) {
            Path clouds = folder.resolve("clouds.yaml");
            Path secrets = folder.resolve("secrets.properties");
            // An engine that writes these files removes the comment and adds the password.
            Files.writeString(clouds, "# edited\n", StandardOpenOption.APPEND);
            Files.writeString(
                    secrets, Files.readString(secrets).replaceFirst("(?m)^reader=.*\\R", ""));
            byte[] cloudsBefore = Files.readAllBytes(clouds);
            byte[] secretsBefore = Files.readAllBytes(secrets);

            assertThatThrownBy(() -> Product.start(folder)).isInstanceOf(DataFolderException.class);

            assertThat(output.getAll())
                    .contains("APPLICATION FAILED TO START", "is in use by another engine")
                    .doesNotContain("\tat ");
            assertThat(clouds).hasBinaryContent(cloudsBefore);
            assertThat(secrets).hasBinaryContent(secretsBefore);
            first.as("demo").get("/v1/leases").expect(200);
        }
    }

    @Test
    void a_start_without_a_cloud_names_the_missing_setting(CapturedOutput output) {
        assertThatThrownBy(() -> Product.start(used, "leasehold.authentication.method=keystone"))
                .isNotNull();

        assertThat(output.getAll())
                .contains("leasehold.openstack: the setting auth-url is missing");
    }

    @Test
    void passwords_survive_a_restart_and_stay_secret(CapturedOutput output) throws IOException {
        Map<String, String> passwords;
        try (Product product = Product.startEmbedded(folder, VERBOSE)) {
            passwords = Product.passwords(folder);
            assertThat(passwords.keySet())
                    .containsExactly(
                            "admin", "auditor", "biller", "demo", "other", "planner", "reader");
            passwords.keySet().forEach(user -> product.as(user).get("/api/leases").expect(200));
            assertThat(
                            new Client("http://127.0.0.1:" + product.port(), "demo", "guessed")
                                    .get("/v1/leases")
                                    .status())
                    .isEqualTo(401);
        }
        try (Product product = Product.startEmbedded(folder)) {
            assertThat(Product.passwords(folder)).isEqualTo(passwords);
            product.as("demo").get("/v1/leases").expect(200);
        }

        for (String file : new String[] {"clouds.yaml", "netrc", "secrets.properties"}) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(output.getAll())
                .contains(
                        "ready at",
                        "simulated cloud: no real host is touched",
                        "Prices: none",
                        "Try: curl --netrc-file " + folder.resolve("netrc"));
        passwords.forEach(
                (user, password) -> {
                    String sent = user + ":" + password;
                    String encoded =
                            Base64.getEncoder()
                                    .encodeToString(sent.getBytes(StandardCharsets.UTF_8));
                    assertThat(output.getAll().contains(password)).isFalse();
                    assertThat(output.getAll().contains(encoded)).isFalse();
                });
    }

    @Test
    void example_plans_price_charges_and_quotes(CapturedOutput output) {
        try (Product product = Product.start(folder, "leasehold.rating.example-plans=true")) {
            product.as("biller").get("/api/charges").expect(200);
            var quote =
                    product.as("demo")
                            .post(
                                    "/api/quote",
                                    DemoProject.until(product.now().plus(Duration.ofHours(1)), ""))
                            .expect(200);
            assertThat(quote.toString()).contains("\"plan\":\"example-2026\"");
        }
        assertThat(output.getAll()).contains("Prices: an example");
    }
}
