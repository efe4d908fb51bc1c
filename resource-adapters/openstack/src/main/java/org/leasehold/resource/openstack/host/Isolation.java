package org.leasehold.resource.openstack.host;

import org.leasehold.lease.ProjectId;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.placement.Provider;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What keeps others from leased hosts, and everybody from hosts that may be leased. */
enum Isolation {
    /** A filter in Nova's scheduler that knows the freepool, and who owns a reservation. */
    FILTER,
    /** Nova's own isolation of tenants: a host is for the projects that its aggregates name. */
    TENANCY;

    /** Who owns what belongs to nobody. Both filters compare it with the id of a project. */
    static final String NOBODY = "0".repeat(32);

    private static final String SETTING = "leasehold.plugins.openstack-hosts.isolation";
    private static final String OWNER = "blazar:owner";
    private static final String TENANT = "filter_tenant_id";

    static Isolation of(String name) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "the setting isolation is filter or tenancy, not " + name));
    }

    /** What an aggregate says whose hosts are the project's. */
    Map<String, String> ownedBy(ProjectId project) {
        return owned(project.value());
    }

    /** What an aggregate says on whose hosts nobody may start anything any more. */
    Map<String, String> closed() {
        return owned(NOBODY);
    }

    /**
     * What the freepool says. Its hosts may also be in the aggregates of reservations of instances,
     * which let their projects in: whoever wants to get on must ask for what is reservable there.
     */
    Map<String, String> ofFreepool() {
        return switch (this) {
            case FILTER -> Map.of();
            case TENANCY -> Map.of(TENANT, NOBODY, "trait:" + Provider.RESERVABLE, "required");
        };
    }

    /**
     * Whether a server may be on a free host: the filter lets preemptible ones into the freepool
     * where the operator says so.
     */
    boolean admits(Guest guest) {
        return switch (this) {
            case FILTER -> guest.isPreemptible() && guest.reservation().isEmpty();
            case TENANCY -> false;
        };
    }

    /**
     * Why a freepool looks as if Nova were set up for the other mode, in words for everybody. Nova
     * shows nobody which filters its scheduler has, but those filters read the freepool's metadata.
     */
    Optional<String> misfit(Aggregate freepool) {
        if (freepool.hosts().isEmpty()) {
            // It opens no host to anybody.
            return Optional.empty();
        }
        String tenant = freepool.metadata().get(TENANT);
        return switch (this) {
            case FILTER ->
                    NOBODY.equals(tenant)
                            ? Optional.of(
                                    misfit(
                                            "has %s, as for tenancy: set tenancy, or remove that"
                                                    + " property if Nova has the filter"))
                            : Optional.empty();
            case TENANCY ->
                    tenant == null
                            ? Optional.of(
                                    misfit(
                                            "lacks %s, as for filter: set filter, or give it that"
                                                    + " property if Nova isolates tenants"))
                            : Optional.empty();
        };
    }

    private String misfit(String how) {
        return "%s is %s, but the aggregate %s %s"
                .formatted(SETTING, word(), Aggregate.FREEPOOL, how.formatted(TENANT));
    }

    private Map<String, String> owned(String owner) {
        Map<String, String> metadata = new TreeMap<>(Map.of(OWNER, owner));
        switch (this) {
            case FILTER -> {}
            case TENANCY -> metadata.put(TENANT, owner);
        }
        return metadata;
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
