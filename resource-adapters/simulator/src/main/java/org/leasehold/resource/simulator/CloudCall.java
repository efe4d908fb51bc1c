package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;

/**
 * One call of the plugin. It is made of steps, each one request to the cloud and one transaction of
 * it, because that is what a process that dies half-way leaves behind in a real cloud.
 */
final class CloudCall {

    private final CloudConnections connections;
    private final Behaviours behaviours;
    private final String name;
    private final @Nullable ReservationId reservation;
    private final Acting.Fence fence;

    CloudCall(
            CloudConnections connections,
            Behaviours behaviours,
            String name,
            @Nullable ReservationId reservation,
            Acting.Fence fence) {
        this.connections = connections;
        this.behaviours = behaviours;
        this.name = name;
        this.reservation = reservation;
        this.fence = fence;
    }

    /** Does all of the call's steps. */
    void run(Steps steps) {
        Behaviours.Encounter encounter = behaviours.meet(name, null);
        encounter.before();
        steps.run(this);
        encounter.after();
    }

    /** Does one step; it is logged if it changed the cloud. */
    void step(String operation, @Nullable String host, Change change) {
        Behaviours.Encounter encounter = behaviours.meet(name + "." + operation, host);
        encounter.before();
        connections.changing(
                () -> {
                    if (host != null) {
                        lock(host);
                    }
                    if (!fence.holds()) {
                        throw new CloudFailure(
                                Fault.Kind.RETRYABLE, "Another process has finished this call");
                    }
                    if (change.rows() > 0) {
                        log(operation, host);
                    }
                });
        encounter.after();
    }

    /** A server that boots at the same moment is either seen by the step or sees it. */
    private void lock(String host) {
        connections
                .jdbc()
                .sql("SELECT id FROM host WHERE hypervisor_hostname = :host FOR UPDATE")
                .param("host", host)
                .query(Long.class)
                .list();
    }

    private void log(String operation, @Nullable String host) {
        connections
                .jdbc()
                .sql(
                        """
                        INSERT INTO effect (operation, reservation, host)
                        VALUES (:operation, CAST(:reservation AS uuid), :host)
                        """)
                .param("operation", operation)
                .param("reservation", reservation == null ? null : reservation.toString())
                .param("host", host)
                .update();
    }

    /** What a call does, step by step. */
    interface Steps {
        void run(CloudCall call);
    }

    /** A change of the cloud's tables; answers how many rows it changed. */
    interface Change {
        int rows();
    }
}
