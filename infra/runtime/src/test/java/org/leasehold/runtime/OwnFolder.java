package org.leasehold.runtime;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** Keeps what a test's engine keeps away from everything else. */
final class OwnFolder implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        try {
            String folder = Files.createTempDirectory("leasehold").toString();
            TestPropertyValues.of("leasehold.database.folder=" + folder).applyTo(context);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
