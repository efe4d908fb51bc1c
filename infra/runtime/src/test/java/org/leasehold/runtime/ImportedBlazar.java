package org.leasehold.runtime;

import org.junit.jupiter.api.BeforeAll;
import org.leasehold.runtime.database.DatabaseAddress;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** A database of Blazar with hosts, and with leases in every state. */
abstract class ImportedBlazar {

    private static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";
    private static final String FLAVOR =
            """
            {"id": "m1.small", "name": "m1.small", "vcpus": 2, "ram": 2048, "disk": 10, "swap": "",
             "OS-FLV-EXT-DATA:ephemeral": 0, "extra_specs": {}}
            """;
    private static final Duration HOUR = Duration.ofHours(1);

    static DatabaseAddress blazars;
    static BlazarFixture blazar;
    static Instant now;
    static Instant later;

    static String waiting;
    static String due;
    static String gone;
    static String running;
    static String overdue;
    static String changing;
    static String withFlavor;

    @BeforeAll
    static void createBlazar() throws IOException, SQLException {
        now = Instant.now();
        later = now.plus(Duration.ofDays(2));
        blazars = SharedPostgres.empty();
        blazar = BlazarFixture.in(blazars.url(), blazars.user());
        fill();
    }

    private static void fill() throws SQLException {
        blazar.host(11, "compute-1", true);
        blazar.host(12, "compute-2", true);
        blazar.host(13, "compute-3", true);
        blazar.host(14, "compute-4", false);
        blazar.host(15, "compute-6", true);
        blazar.insert(
                "resource_properties",
                "id",
                "gpu",
                "resource_type",
                "physical:host",
                "property_name",
                "gpu",
                "private",
                true);
        blazar.insert(
                "computehost_extra_capabilities",
                "computehost_id",
                "11",
                "property_id",
                "gpu",
                "capability_value",
                "V100");
        blazar.insert(
                "floatingips",
                "id",
                "ip",
                "floating_network_id",
                NETWORK,
                "subnet_id",
                "s1",
                "floating_ip_address",
                "203.0.113.200");

        waiting =
                blazar.lease("waiting", "PENDING", later, later.plus(HOUR), "UNDONE UNDONE UNDONE");
        blazar.hosts(waiting, "pending", "1-2", 11, 12);
        running =
                blazar.lease(
                        "running", "ACTIVE", now.minus(HOUR), now.plus(HOUR), "DONE UNDONE UNDONE");
        blazar.hosts(running, "active", "1-1", 13);
        String slots =
                blazar.lease(
                        "slots", "ACTIVE", now.minus(HOUR), now.plus(HOUR), "DONE UNDONE UNDONE");
        withFlavor = blazar.instances(slots, "virtual:instance", "active", "", 11, 11, 12);
        String flavor =
                blazar.lease(
                        "flavor",
                        "PENDING",
                        later.plus(HOUR),
                        later.plus(HOUR).plus(HOUR),
                        "UNDONE UNDONE UNDONE");
        blazar.instances(flavor, "flavor:instance", "pending", FLAVOR, 12);
        String address =
                blazar.lease(
                        "address", "ACTIVE", now.minus(HOUR), now.plus(HOUR), "DONE UNDONE UNDONE");
        String ip = blazar.reservation(address, "virtual:floatingip", "active");
        blazar.insert(
                "floatingip_reservations",
                "id",
                "f1",
                "reservation_id",
                ip,
                "network_id",
                NETWORK,
                "amount",
                1);
        blazar.insert(
                "required_floatingips",
                "floatingip_reservation_id",
                "f1",
                "address",
                "203.0.113.200");
        blazar.insert("floatingip_allocations", "floatingip_id", "ip", "reservation_id", ip);
        String over =
                blazar.lease(
                        "over",
                        "TERMINATED",
                        now.minus(HOUR).minus(HOUR),
                        now.minus(HOUR),
                        "DONE DONE DONE");
        blazar.hosts(over, "deleted", "1-1");
        String broken =
                blazar.lease(
                        "broken", "ERROR", now.minus(HOUR), now.plus(HOUR), "ERROR UNDONE UNDONE");
        blazar.hosts(broken, "error", "1-1", 14);
        blazar.lease("empty", "PENDING", later, later.plus(HOUR), "UNDONE UNDONE UNDONE");
        overdue =
                blazar.lease(
                        "overdue",
                        "ACTIVE",
                        now.minus(HOUR),
                        now.minusSeconds(60),
                        "DONE DONE UNDONE");
        blazar.insert(
                "floatingips",
                "id",
                "ip2",
                "floating_network_id",
                NETWORK,
                "subnet_id",
                "s1",
                "floating_ip_address",
                "203.0.113.201");
        String late = blazar.reservation(overdue, "virtual:floatingip", "active");
        blazar.insert(
                "floatingip_reservations",
                "id",
                "f2",
                "reservation_id",
                late,
                "network_id",
                NETWORK,
                "amount",
                1);
        blazar.insert("floatingip_allocations", "floatingip_id", "ip2", "reservation_id", late);
        // This lease gets at once the resources that the overdue lease still has.
        due =
                blazar.lease(
                        "due",
                        "PENDING",
                        now.minusSeconds(60),
                        now.plus(HOUR),
                        "UNDONE UNDONE UNDONE");
        blazar.hosts(due, "pending", "1-1", 15);
        blazar.hosts(overdue, "active", "1-1", 15);
        gone = blazar.lease("gone", "PENDING", later, later.plus(HOUR), "UNDONE UNDONE UNDONE");
        changing =
                blazar.lease(
                        "changing", "UPDATING", later, later.plus(HOUR), "UNDONE UNDONE UNDONE");
        blazar.hosts(changing, "pending", "1-1", 13);
    }
}
