package org.leasehold.postgres;

import java.util.ArrayList;
import java.util.List;

/** Runs PostgreSQL's programs. */
final class PostgresProgram {

    private PostgresProgram() {}

    /**
     * Prepares a program with its output in one stream. PostgreSQL refuses to run as root; in its
     * own user namespace, it does not see the root account.
     */
    static ProcessBuilder builder(List<String> command) {
        List<String> words = new ArrayList<>();
        if (DataFolder.accountId() == 0) {
            words.addAll(List.of("unshare", "--user"));
        }
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }
}
