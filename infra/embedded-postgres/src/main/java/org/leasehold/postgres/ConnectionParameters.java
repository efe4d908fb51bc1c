package org.leasehold.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connection parameters of an embedded PostgreSQL. They are stored in {@code pg_service.conf}
 * in the data folder, in the format of libpq, so that {@code psql} finds the database: {@code
 * PGSERVICEFILE=data/pg_service.conf psql service=leasehold}.
 *
 * @param port the port of the running server, or of the last one
 */
public record ConnectionParameters(int port, String user, String password) {

    static final String DATABASE = "postgres";
    static final String USER = "leasehold";

    private static final String FILE_NAME = "pg_service.conf";
    private static final String HOST = "127.0.0.1";

    /** Returns the stored parameters; empty if there are none, or if the file is incomplete. */
    public static Optional<ConnectionParameters> read(Path folder) throws IOException {
        Path file = folder.resolve(FILE_NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Map<String, String> lines = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                lines.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        String port = lines.getOrDefault("port", "");
        String user = lines.get("user");
        String password = lines.getOrDefault("password", "");
        if (!port.matches("\\d{1,5}") || user == null || password.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ConnectionParameters(Integer.parseInt(port), user, password));
    }

    void write(Path folder) throws IOException {
        PrivateFiles.write(
                folder.resolve(FILE_NAME),
                String.join(
                        "\n",
                        "# The embedded PostgreSQL; the engine writes this file at each start.",
                        "[leasehold]",
                        "host=" + HOST,
                        "port=" + port,
                        "dbname=" + DATABASE,
                        "user=" + user,
                        // The last line: a truncated file has no password.
                        "password=" + password,
                        ""));
    }

    /** Returns the JDBC URL, without user and password. */
    public String url() {
        return "jdbc:postgresql://" + HOST + ":" + port + "/" + DATABASE;
    }

    /** Omits the password: records get into logs. */
    @Override
    public String toString() {
        return url() + " as " + user;
    }
}
