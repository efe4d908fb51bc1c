package org.leasehold.runtime;

import org.leasehold.postgres.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * The users of the embedded default. The first start generates their passwords and stores them in
 * the data folder, readable only by its owner.
 */
final class EmbeddedUsers {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedUsers.class);

    private static final int SECRET_BYTES = 24;

    /** A user that exists from the first start on. */
    private record User(String cloud, String name, String project, String roles) {}

    private static final List<User> USERS =
            List.of(
                    new User("leasehold", "demo", "demo", "member"),
                    new User("leasehold-admin", "admin", "admin", "admin"),
                    new User("leasehold-other", "other", "other", "member"),
                    new User("leasehold-reader", "reader", "demo", "reader"),
                    new User("leasehold-planner", "planner", "planner", "planner"),
                    new User("leasehold-auditor", "auditor", "auditor", "auditor"),
                    new User("leasehold-biller", "biller", "biller", "biller"));

    /** The users that data folders of older versions lack. */
    private static final Set<String> ADDED_LATER = Set.of("planner", "auditor", "biller");

    private final Path folder;

    /** Logs what is known about new passwords. */
    private Runnable report = () -> {};

    EmbeddedUsers(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    Path cloudsFile() {
        return folder.resolve("clouds.yaml");
    }

    /**
     * Returns the passwords for curl: {@code curl --netrc-file FILE http://demo@127.0.0.1:1234/}.
     */
    Path netrcFile() {
        return folder.resolve("netrc");
    }

    /** Writes the clients' configuration, which names the engine's address. */
    void writeClientFiles(String endpoint) {
        Properties secrets = secrets();
        write(cloudsFile(), cloudsYaml(secrets, endpoint));
        write(netrcFile(), netrc(secrets, URI.create(endpoint).getRawAuthority()));
        logNewPasswords();
    }

    /**
     * Returns the gateway's settings of these users; creates missing passwords. Nothing is logged
     * before {@link #logNewPasswords}, because the settings are read before logging is set up.
     */
    Properties settings() {
        Properties secrets = secrets();
        Properties settings = new Properties();
        for (int i = 0; i < USERS.size(); i++) {
            User user = USERS.get(i);
            String prefix = "leasehold.gateway.users[" + i + "].";
            settings.setProperty(prefix + "name", user.name());
            settings.setProperty(prefix + "password", "{noop}" + secrets.getProperty(user.name()));
            settings.setProperty(prefix + "user-id", user.name());
            settings.setProperty(prefix + "project-id", user.project());
            settings.setProperty(prefix + "project-name", user.project());
            settings.setProperty(prefix + "roles", user.roles());
        }
        return settings;
    }

    /** Logs which users got new passwords after the first start, and where they are. */
    void logNewPasswords() {
        report.run();
    }

    private Properties secrets() {
        Path file = folder.resolve("secrets.properties");
        Properties secrets = new Properties();
        try {
            boolean stored = Files.exists(file);
            if (stored) {
                secrets.load(new StringReader(Files.readString(file)));
            }
            List<String> missing =
                    USERS.stream()
                            .map(User::name)
                            .filter(name -> !secrets.containsKey(name))
                            .toList();
            if (!missing.isEmpty()) {
                if (Set.copyOf(missing).equals(ADDED_LATER)) {
                    report =
                            () ->
                                    LOG.info(
                                            "This version adds the users {}. Their passwords are"
                                                    + " in {} and {}",
                                            missing,
                                            cloudsFile(),
                                            netrcFile());
                } else if (stored) {
                    report =
                            () ->
                                    LOG.warn(
                                            "{} lacks passwords. New ones are in {} for the users"
                                                    + " {}",
                                            file,
                                            cloudsFile(),
                                            missing);
                }
                USERS.forEach(user -> secrets.putIfAbsent(user.name(), newSecret()));
                StringWriter text = new StringWriter();
                secrets.store(text, "passwords of the embedded default's users");
                write(file, text.toString());
            }
            return secrets;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot keep the users' passwords in " + file, e);
        }
    }

    private static String newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String cloudsYaml(Properties secrets, String endpoint) {
        StringBuilder yaml = new StringBuilder("clouds:\n");
        for (User user : USERS) {
            yaml.append(
                    """
                      %s:
                        auth_type: http_basic
                        auth:
                          endpoint: %s
                          username: %s
                          password: %s
                    """
                            .formatted(
                                    user.cloud(),
                                    endpoint,
                                    user.name(),
                                    secrets.getProperty(user.name())));
        }
        return yaml.toString();
    }

    /**
     * Returns one line for each name of the machine and each user. Curl reads the user from the
     * address, and takes the first line without one.
     */
    private static String netrc(Properties secrets, String authority) {
        // Not the URI's host, which is null for a name with an underscore. An IPv6 address has
        // brackets in a URL, but not here.
        String machine = authority.replaceFirst(":\\d+$", "").replaceAll("[\\[\\]]", "");
        List<String> machines =
                machine.equals("127.0.0.1") ? List.of(machine, "localhost") : List.of(machine);
        StringBuilder netrc = new StringBuilder();
        for (String each : machines) {
            for (User user : USERS) {
                netrc.append(
                        "machine %s login %s password %s\n"
                                .formatted(each, user.name(), secrets.getProperty(user.name())));
            }
        }
        return netrc.toString();
    }

    private void write(Path file, String text) {
        try {
            Files.createDirectories(folder);
            PrivateFiles.write(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }
}
