package org.leasehold.runtime;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Gives an engine under test its own folder, database and clock. */
final class IsolatedEngineInitializer
        implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        try {
            Path folder = Files.createTempDirectory("leasehold");
            TestPropertyValues.of(
                            "leasehold.database.folder=" + folder,
                            "leasehold.probes.port=0",
                            "leasehold.rating.example-plans=false")
                    .applyTo(context);
            AdjustableClock clock = new AdjustableClock();
            new BeanReplacements(clock, new PluginGate(), SharedPostgres.of(folder))
                    .initialize(context);
            context.addApplicationListener(
                    event -> {
                        if (event instanceof ApplicationReadyEvent) {
                            clock.toBeginning();
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
