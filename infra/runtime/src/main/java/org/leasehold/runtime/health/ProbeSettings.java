package org.leasehold.runtime.health;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

import java.net.InetAddress;

/**
 * Settings of the port for liveness and readiness probes.
 *
 * @param port 0 for any free port, -1 for none: then only the port for requests serves probes
 * @param address the loopback address of this machine, unless probes come from elsewhere
 */
@Validated
@ConfigurationProperties(prefix = "leasehold.probes", ignoreUnknownFields = false)
record ProbeSettings(
        @DefaultValue("1235") @Min(-1) @Max(65_535) int port,
        @DefaultValue("127.0.0.1") @NotNull InetAddress address) {

    /** Returns true if probes have their own port. */
    boolean hasPort() {
        return port >= 0;
    }
}
