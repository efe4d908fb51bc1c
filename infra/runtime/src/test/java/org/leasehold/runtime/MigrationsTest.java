package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import java.io.IOException;

class MigrationsTest {

    /** Other assemblies of the engine, like the demo, create the same database. */
    @Test
    void every_migration_is_in_a_command_query_or_saga_module() throws IOException {
        Resource[] migrations =
                new PathMatchingResourcePatternResolver()
                        .getResources("classpath*:db/migration/V*.sql");

        assertThat(migrations)
                .isNotEmpty()
                .allSatisfy(
                        migration ->
                                assertThat(migration.getURL().toString())
                                        .containsPattern(
                                                "lease-command.core|lease-query.core|lease-saga"));
    }
}
