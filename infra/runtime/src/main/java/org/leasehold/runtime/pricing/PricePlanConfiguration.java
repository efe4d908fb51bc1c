package org.leasehold.runtime.pricing;

import org.leasehold.query.rating.PricePlans;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads the price plans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PricePlanSettings.class)
class PricePlanConfiguration {

    @Bean
    PricePlans pricePlans(PricePlanSettings settings) {
        Path file = settings.plans();
        if (file == null) {
            return PricePlans.NONE;
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
}
