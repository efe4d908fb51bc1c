package org.leasehold.runtime;

import org.leasehold.postgres.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Properties;

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
                    new User("leasehold-reader", "reader", "demo", "reader"));

    private final Path folder;

    EmbeddedUsers(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    Path cloudsFile() {
        return folder.resolve("clouds.yaml");
    }

    /** Writes the clients' configuration, which names the engine's address. */
    void writeCloudsFile(String endpoint) {
        write(cloudsFile(), cloudsYaml(secrets(), endpoint));
    }

    /** Returns the gateway's settings of these users; creates missing passwords. */
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
                if (stored) {
                    LOG.warn(
                            "{} lacks passwords. New ones are in {} for the users {}",
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

    private void write(Path file, String text) {
        try {
            Files.createDirectories(folder);
            PrivateFiles.write(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }
}
