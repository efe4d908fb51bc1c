package org.leasehold.runtime.pricing;

import org.leasehold.query.rating.PricePlans;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Loads the price plans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PricePlanSettings.class)
class PricePlanConfiguration {

    @Bean
    PricePlans pricePlans(PricePlanSettings settings) {
        Path file = settings.plans();
        if (file == null) {
            return settings.examplePlans() ? examplePlans() : PricePlans.NONE;
        }
        try {
            return PricePlans.of(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("leasehold.rating.plans: cannot read " + file, e);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    "leasehold.rating.plans: %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Returns the plans of the documents, which the build copies. */
    private static PricePlans examplePlans() {
        try (InputStream file =
                Objects.requireNonNull(
                        PricePlanConfiguration.class.getResourceAsStream("example-plans.json"))) {
            return PricePlans.of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
