package org.leasehold.resource.simulator;

import org.leasehold.lease.Fault;

import java.io.Serial;

/** An error of the simulated cloud; never leaves the plug-in. */
public final class SimulatedCloudException extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    public SimulatedCloudException(Fault.Kind kind, String message) {
        super(message, null, false, false);
        this.fault = new Fault(kind, message);
    }

    public static SimulatedCloudException insufficientResources(String host, String why) {
        return new SimulatedCloudException(
                Fault.Kind.INSUFFICIENT_RESOURCES, "The host " + host + " " + why);
    }

    Fault fault() {
        return fault;
    }
}
