package org.leasehold.runtime;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

import java.net.InetAddress;

/**
 * Where probes ask whether this node is alive and ready.
 *
 * @param port 0 for any that is free, -1 for none: then the port for requests alone answers probes
 * @param address this machine's own address, unless probes come from elsewhere
 */
@Validated
@ConfigurationProperties(prefix = "leasehold.probes", ignoreUnknownFields = false)
record ProbeSettings(
        @DefaultValue("1235") @Min(-1) @Max(65_535) int port,
        @DefaultValue("127.0.0.1") @NotNull InetAddress address) {

    /** Whether probes have a port of their own. */
    boolean hasPort() {
        return port >= 0;
    }
}
