package org.leasehold.runtime;

/** The groups of packages that the rules of the architecture name. */
final class ProductPackages {

    static final String[] COMMAND_API = {
        "org.leasehold.vocabulary",
        "org.leasehold.lease..",
        "org.leasehold.inventory..",
        "org.leasehold.calendar..",
        "org.leasehold.history..",
        "org.leasehold.whatif..",
        "org.leasehold.command"
    };
    static final String[] PLUGIN_API = {
        "org.leasehold.resource",
        "org.leasehold.resource.floatingip",
        "org.leasehold.resource.host",
        "org.leasehold.resource.identity",
        "org.leasehold.resource.instance",
        "org.leasehold.resource.network",
        "org.leasehold.resource.parameter",
        "org.leasehold.resource.requirement",
        "org.leasehold.resource.server",
        "org.leasehold.resource.stack",
        "org.leasehold.resource.volume"
    };
    static final String QUERY_API = "org.leasehold.readmodel..";

    static final String COMMAND_CORE = "org.leasehold.command.*..";
    static final String QUERY_CORE = "org.leasehold.query.*..";
    static final String SAGA = "org.leasehold.saga..";
    static final String GATEWAY = "org.leasehold.gateway..";

    static final String WIRE = "org.leasehold.wire..";

    /** The assembling packages: the product, its simulation, and its demo. */
    static final String RUNTIME = "org.leasehold.runtime..";

    static final String SIMULATION = "org.leasehold.simulation..";

    static final String DEMO = "org.leasehold.demo..";

    static final String INVARIANTS = "org.leasehold.invariants..";

    static final String SIMULATOR = "org.leasehold.resource.simulator..";

    static final String PUBLISHING = "org.leasehold.publishing..";

    static final String OPENSTACK = "org.leasehold.resource.openstack..";

    static final String JDK = "java..";
    static final String JSPECIFY = "org.jspecify..";

    private ProductPackages() {}
}
