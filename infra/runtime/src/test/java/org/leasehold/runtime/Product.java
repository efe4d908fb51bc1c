package org.leasehold.runtime;

import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.GatewaySettings;
import org.leasehold.history.EventLog;
import org.leasehold.query.seal.HeadSigner;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.runtime.EventReader.Event;
import org.leasehold.runtime.database.DatabaseAddress;
import org.leasehold.runtime.verify.Verification;
import org.leasehold.runtime.verify.VerificationDifference;
import org.leasehold.seal.TreeHead;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The whole product in this process: it starts like {@code main}, with its own port and a data
 * folder that you can use for another start.
 */
final class Product implements AutoCloseable {

    private static final AtomicInteger NODES = new AtomicInteger(1);

    private final ConfigurableApplicationContext context;
    private final BeanReplacements substitutes;
    private final Map<String, String> passwords;
    private final SimulatedCloud cloud;

    private Product(BeanReplacements substitutes, Path folder, List<String> arguments) {
        this(substitutes, folder, arguments, null);
    }

    private Product(
            BeanReplacements substitutes,
            Path folder,
            List<String> arguments,
            @Nullable DatabaseAddress direct) {
        SpringApplication application = Leasehold.application();
        application.addInitializers(substitutes);
        this.substitutes = substitutes;
        this.context = application.run(arguments.toArray(String[]::new));
        this.passwords = passwords(folder);
        DatabaseAddress database = direct == null ? database() : direct;
        this.cloud = SimulatedCloud.connect(database.url(), database.user(), database.password());
    }

    /** Starts the embedded default with another clock, and a database in memory. */
    static Product start(Path folder, String... settings) {
        AdjustableClock clock = new AdjustableClock();
        Product product = start(folder, clock, settings);
        clock.toBeginning();
        return product;
    }

    /** Starts it at a time chosen by the test; the same folder gives the same database. */
    static Product start(Path folder, AdjustableClock clock, String... settings) {
        return new Product(
                new BeanReplacements(clock, new PluginGate(), SharedPostgres.of(folder)),
                folder,
                arguments(folder, settings));
    }

    /** Starts the embedded default with its PostgreSQL in the folder, and this machine's time. */
    static Product startEmbedded(Path folder, String... settings) {
        return new Product(
                new BeanReplacements(
                        RuntimeConfiguration.microsecondClock(), new PluginGate(), null),
                folder,
                arguments(folder, settings));
    }

    private static List<String> arguments(Path folder, String... settings) {
        return arguments(List.of("leasehold.database.folder=" + folder), settings);
    }

    private static List<String> arguments(DatabaseAddress database, String... settings) {
        return arguments(
                List.of(
                        "leasehold.database.url=" + database.url(),
                        "leasehold.database.user=" + database.user(),
                        "leasehold.database.password=" + database.password()),
                settings);
    }

    private static List<String> arguments(List<String> where, String... settings) {
        boolean hasPrices =
                Stream.of(settings).anyMatch(setting -> setting.startsWith("leasehold.rating."));
        return Stream.of(
                        Stream.of("server.port=0", "leasehold.probes.port=0"),
                        hasPrices
                                ? Stream.<String>empty()
                                : Stream.of("leasehold.rating.example-plans=false"),
                        where.stream(),
                        Stream.of(settings))
                .flatMap(Function.identity())
                .map(setting -> "--" + setting)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /**
     * Starts a product on a running PostgreSQL, with the users of the folder.
     *
     * @param direct the test's access to the database, even when the product has none
     */
    static Product on(
            DatabaseAddress database,
            DatabaseAddress direct,
            Clock clock,
            Path folder,
            String... settings) {
        List<String> arguments = arguments(database, settings);
        EmbeddedUsers users = new EmbeddedUsers(folder);
        users.writeClientFiles("http://127.0.0.1/v1");
        users.settings().forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return new Product(
                new BeanReplacements(clock, new PluginGate(), null), folder, arguments, direct);
    }

    /** Starts a second engine with the same database, users and clock, in the same process. */
    Product anotherNode(Path folder, String... settings) {
        List<String> arguments = arguments(database(), settings);
        // By default a node is named after its process.
        arguments.add("--leasehold.node.name=node-" + NODES.incrementAndGet());
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
        return new Product(
                new BeanReplacements(substitutes.clock(), new PluginGate(), null),
                folder,
                arguments);
    }

    /** Returns the product's current time. */
    Instant now() {
        return substitutes.clock().instant();
    }

    /** Returns the clock of a product that was started with a clock for tests. */
    AdjustableClock clock() {
        return (AdjustableClock) substitutes.clock();
    }

    /** Returns the gate of the product's plug-ins. */
    PluginGate gate() {
        return substitutes.gate();
    }

    /** Returns a client of a user: such as {@code demo}, {@code admin} or {@code planner}. */
    Client as(String user) {
        return new Client(root(), user, passwords.get(user));
    }

    Client asAnonymous() {
        return new Client(root());
    }

    String root() {
        return "http://127.0.0.1:" + port();
    }

    int port() {
        return Integer.parseInt(
                Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port")));
    }

    int probesPort() {
        var server = ((WebServerApplicationContext) context).getWebServer();
        Connector[] connectors =
                ((TomcatWebServer) Objects.requireNonNull(server))
                        .getTomcat()
                        .getService()
                        .findConnectors();
        return connectors[1].getLocalPort();
    }

    DatabaseAddress database() {
        return context.getBean(DatabaseAddress.class);
    }

    /** Returns the differences that the verify command would report. */
    List<VerificationDifference> verify() {
        List<VerificationDifference> differences = new ArrayList<>();
        verify(differences);
        return differences;
    }

    /** Returns all stored events. */
    List<Event> history() throws SQLException {
        return EventReader.read(context.getBean(EventLog.class), database());
    }

    /** Signs the sealed events, as at the end of a day. */
    TreeHead sign() {
        return TreeHead.of(context.getBean(HeadSigner.class).signCurrentHead().text());
    }

    /** Returns the number of events that sagas have not yet processed or acknowledged. */
    long unfollowed() {
        return verify(new ArrayList<>()).unfollowed();
    }

    private Verification.Report verify(List<VerificationDifference> differences) {
        try {
            return context.getBean(Verification.class).run(differences::add);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the simulated cloud, through separate connections. */
    SimulatedCloud cloud() {
        return cloud;
    }

    @Override
    public void close() {
        cloud.close();
        context.close();
    }

    /** Returns passwords by user, from the clients' configuration. */
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
