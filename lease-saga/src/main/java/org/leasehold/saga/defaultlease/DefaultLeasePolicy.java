package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The policy that selects the servers that get a default lease. A pure function of a server, the
 * time and the settings.
 */
final class DefaultLeasePolicy {

    private final DefaultLeaseSettings settings;

    DefaultLeasePolicy(DefaultLeaseSettings settings) {
        this.settings = settings;
    }

    /**
     * Returns the meaning of the settings for a server.
     *
     * @param lease the lease that has the server now or later; null for none
     * @param hasOpenLeaseTag whether the engine still processes a lease tag of the server
     */
    Assessment assess(
            LeasableObject server, @Nullable LeaseId lease, boolean hasOpenLeaseTag, Instant now) {
        if (lease != null) {
            return new Assessment.Leased(lease);
        }
        return exemption(server)
                .<Assessment>map(Assessment.Exempt::new)
                .or(() -> Optional.ofNullable(server.obstacle()).map(Assessment.Unleasable::new))
                .or(() -> delay(server, hasOpenLeaseTag, now).map(Assessment.Pending::new))
                .orElseGet(Assessment.Affected::new);
    }

    private Optional<String> exemption(LeasableObject server) {
        if (!settings.covers(server.project())) {
            return Optional.of("The settings do not name the project");
        }
        if (settings.exemptProjects().contains(server.project().value())) {
            return Optional.of("The project is exempt");
        }
        if (settings.exemptFlavors().contains(server.flavor())) {
            return Optional.of("The flavor is exempt");
        }
        if (server.metadata().containsKey(settings.exemptMetadata())) {
            return Optional.of("The server has the exempt metadata key");
        }
        return server.state() == State.SHELVED
                ? Optional.of("The server is shelved")
                : Optional.empty();
    }

    private Optional<String> delay(LeasableObject server, boolean hasOpenLeaseTag, Instant now) {
        if (server.state() == State.UNREADY) {
            return Optional.of("The server is not ready");
        }
        if (hasOpenLeaseTag) {
            return Optional.of("The server has a lease tag");
        }
        return isYoung(server.createdAt(), now)
                ? Optional.of("The server is younger than the grace period")
                : Optional.empty();
    }

    /**
     * Returns whether a server is younger than the grace period. A creation far in the future means
     * that the cloud's clock is wrong: that server would be young for ever.
     */
    private boolean isYoung(@Nullable Instant createdAt, Instant now) {
        return createdAt != null
                && Duration.between(createdAt, now).abs().compareTo(settings.grace()) < 0;
    }
}
