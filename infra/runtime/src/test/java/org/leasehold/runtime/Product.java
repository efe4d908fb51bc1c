package org.leasehold.runtime;

import org.leasehold.gateway.GatewaySettings;
import org.leasehold.history.EventLog;
import org.leasehold.query.seal.Heads;
import org.leasehold.resource.simulator.SimulatedCloud;
import org.leasehold.runtime.History.Event;
import org.leasehold.runtime.verify.Difference;
import org.leasehold.runtime.verify.Verification;
import org.leasehold.seal.Head;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The whole product in this process: what {@code main} starts, on a port of its own and a data
 * folder that can be started on again.
 */
final class Product implements AutoCloseable {

    private static final AtomicInteger NODES = new AtomicInteger(1);

    private final ConfigurableApplicationContext context;
    private final Map<String, String> passwords;
    private final SimulatedCloud cloud;

    private Product(ConfigurableApplicationContext context, Path folder) {
        this(context, folder, context.getBean(DatabaseAddress.class));
    }

    private Product(ConfigurableApplicationContext context, Path folder, DatabaseAddress database) {
        this.context = context;
        this.passwords = passwords(folder);
        this.cloud = SimulatedCloud.connect(database.url(), database.user(), database.password());
    }

    static Product start(Path folder, String... settings) {
        return new Product(Leasehold.application().run(arguments(folder, settings)), folder);
    }

    /** With a clock that is the test's. */
    static Product start(Path folder, Clock clock, String... settings) {
        SpringApplication application = Leasehold.application();
        application.addInitializers(
                context -> context.getBeanFactory().addBeanPostProcessor(new Clocks(clock)));
        return new Product(application.run(arguments(folder, settings)), folder);
    }

    private record Clocks(Clock clock) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof Clock ? clock : bean;
        }
    }

    private static String[] arguments(Path folder, String... settings) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--server.port=0");
        arguments.add("--leasehold.database.folder=" + folder);
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return arguments.toArray(String[]::new);
    }

    /**
     * On a PostgreSQL that runs already, with the users that the folder gets.
     *
     * @param direct where the test finds the database, even when the product does not
     */
    static Product on(
            DatabaseAddress database, DatabaseAddress direct, Path folder, String... settings) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--server.port=0");
        arguments.add("--leasehold.database.url=" + database.url());
        arguments.add("--leasehold.database.user=" + database.user());
        arguments.add("--leasehold.database.password=" + database.password());
        new EmbeddedUsers(folder)
                .settings("http://127.0.0.1/v1")
                .forEach((name, value) -> arguments.add("--" + name + "=" + value));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return new Product(
                Leasehold.application().run(arguments.toArray(String[]::new)), folder, direct);
    }

    /** A second engine on the same database, with the same users, in the same process. */
    Product anotherNode(Path folder, String... settings) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--server.port=0");
        // By default a node is named after its process.
        arguments.add("--leasehold.node.name=node-" + NODES.incrementAndGet());
        arguments.add("--leasehold.database.url=" + database().url());
        arguments.add("--leasehold.database.user=" + database().user());
        arguments.add("--leasehold.database.password=" + database().password());
        List<GatewaySettings.User> users = context.getBean(GatewaySettings.class).users();
        for (int i = 0; i < users.size(); i++) {
            GatewaySettings.User user = users.get(i);
            String prefix = "--leasehold.gateway.users[" + i + "].";
            arguments.add(prefix + "name=" + user.name());
            arguments.add(prefix + "password=" + user.password());
            arguments.add(prefix + "user-id=" + user.userId());
            arguments.add(prefix + "project-id=" + user.projectId());
            arguments.add(prefix + "project-name=" + user.projectName());
            arguments.add(prefix + "roles=" + String.join(",", user.roles()));
        }
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return new Product(Leasehold.application().run(arguments.toArray(String[]::new)), folder);
    }

    /**
     * The product as one of its users, {@code demo}, {@code admin}, {@code other}, {@code reader}.
     */
    Client as(String user) {
        return new Client(root(), user, passwords.get(user));
    }

    Client asNobody() {
        return new Client(root());
    }

    String root() {
        return "http://127.0.0.1:" + port();
    }

    int port() {
        return Integer.parseInt(
                Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port")));
    }

    DatabaseAddress database() {
        return context.getBean(DatabaseAddress.class);
    }

    /** What the operator's command would report. */
    List<Difference> verify() {
        List<Difference> differences = new ArrayList<>();
        verify(differences);
        return differences;
    }

    /** Everything that is stored. */
    List<Event> history() throws SQLException {
        return History.read(context.getBean(EventLog.class), database());
    }

    /** Signs what is sealed by now, as when a day is over. */
    Head sign() {
        return Head.of(context.getBean(Heads.class).now().text());
    }

    /** So many events have processes yet to react to, or to say that they did. */
    long unfollowed() {
        return verify(new ArrayList<>()).unfollowed();
    }

    private Verification.Report verify(List<Difference> differences) {
        try {
            return context.getBean(Verification.class).run(differences::add);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the users' resources really are; through connections of its own. */
    SimulatedCloud cloud() {
        return cloud;
    }

    @Override
    public void close() {
        cloud.close();
        context.close();
    }

    /** By user, as the clients' configuration has them. */
    static Map<String, String> passwords(Path folder) {
        Map<String, String> passwords = new TreeMap<>();
        try {
            Map<String, Map<String, Map<String, Map<String, String>>>> file =
                    new Yaml().load(Files.readString(folder.resolve("clouds.yaml")));
            file.get("clouds")
                    .values()
                    .forEach(
                            cloud ->
                                    passwords.put(
                                            cloud.get("auth").get("username"),
                                            cloud.get("auth").get("password")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return passwords;
    }
}
