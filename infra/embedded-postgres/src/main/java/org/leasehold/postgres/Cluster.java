package org.leasehold.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The database files of an embedded PostgreSQL, and their access rules. One role, which is no
 * superuser, connects by SCRAM from the loopback address. The superuser has no password and no
 * entry. Roles and owners are changed in PostgreSQL's single-user mode, which opens no port.
 */
final class Cluster {

    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    private static final String ACCESS_FILE_HEADER =
            "# Leasehold: one role, from this machine, by password.";
    private static final String ACCESS_RULES =
            ACCESS_FILE_HEADER
                    + "\nhost all "
                    + ConnectionParameters.USER
                    + " 127.0.0.1/32 scram-sha-256\n";

    private static final int SECRET_BYTES = 24;
    private static final int TIMEOUT_MINUTES = 10;

    private final Path folder;
    private final PostgresBinaries binaries;

    Cluster(Path folder, PostgresBinaries binaries) {
        this.folder = folder;
        this.binaries = binaries;
    }

    static Path dataDirectory(Path folder) {
        return folder.resolve("postgres");
    }

    /**
     * Creates the files if there are none. Secures the files of an older version, whose superuser
     * needed no password. Creates a new password if the stored one is lost.
     *
     * @return the password of the engine's role
     */
    String prepare() throws IOException {
        Path data = dataDirectory(folder);
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            requireEmpty(data);
            return create(data);
        }
        Optional<ConnectionParameters> stored = ConnectionParameters.read(folder);
        if (stored.isPresent() && isSecured(data)) {
            return stored.get().password();
        }
        LOG.warn(
                isSecured(data)
                        ? "the database's password was lost and is replaced, folder={}"
                        : "the database of an older version gets a password, folder={}",
                folder);
        return secure(data);
    }

    /** Refuses to replace a database that has lost a file by an empty one. */
    private static void requireEmpty(Path data) throws IOException {
        if (Files.isDirectory(data)) {
            try (Stream<Path> files = Files.list(data)) {
                if (files.findAny().isPresent()) {
                    throw new DataFolderException(
                            "The database "
                                    + data
                                    + " has no PG_VERSION: restore it or move it away");
                }
            }
        }
    }

    /** Creates the files as a draft. If a start is killed, the next one begins again. */
    private String create(Path data) throws IOException {
        Path draft = folder.resolve("postgres.draft");
        PostgresBinaries.delete(draft);
        run(
                List.of(
                        binaries.program("initdb").toString(),
                        "--pgdata=" + draft,
                        "--username=postgres",
                        "--auth=reject",
                        "--encoding=UTF8",
                        // Texts sort the same on every machine, whatever its locale.
                        "--locale=C",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--no-instructions"),
                "");
        String password = secure(draft);
        Files.deleteIfExists(data);
        Files.move(draft, data);
        return password;
    }

    private static boolean isSecured(Path data) throws IOException {
        return Files.readString(data.resolve("pg_hba.conf")).startsWith(ACCESS_FILE_HEADER);
    }

    /** Sets password and access. You can repeat it after an interruption: access opens last. */
    private String secure(Path data) throws IOException {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        run(
                List.of(
                        binaries.program("postgres").toString(),
                        "--single",
                        "-j",
                        "-D",
                        data.toString(),
                        "-c",
                        "exit_on_error=on",
                        // The log of a failing statement would contain the password.
                        "-c",
                        "log_min_error_statement=panic",
                        ConnectionParameters.DATABASE),
                readRoleStatements().replace("PASSWORD_OF_ENGINE", password));
        new ConnectionParameters(0, ConnectionParameters.USER, password).write(folder);
        PrivateFiles.write(data.resolve("pg_hba.conf"), ACCESS_RULES);
        return password;
    }

    private static String readRoleStatements() throws IOException {
        try (InputStream file = Cluster.class.getResourceAsStream("roles.sql")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void run(List<String> command, String input) throws IOException {
        Process process = PostgresProgram.builder(command).start();
        try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
            stdin.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException(failure(command.getFirst(), output.strip()));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(command.getFirst() + " was interrupted", e);
        }
    }

    private static String failure(String program, String output) {
        return output.startsWith("unshare:")
                ? "PostgreSQL does not run as root, and there are no user namespaces here: run the"
                        + " engine as another account, or use a server of your own"
                        + " (leasehold.database.url)"
                : program + " failed: " + output;
    }
}
