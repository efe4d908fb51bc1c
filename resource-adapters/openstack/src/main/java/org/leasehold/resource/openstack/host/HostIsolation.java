package org.leasehold.resource.openstack.host;

import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.resource.openstack.version.Microversion;
import org.leasehold.resource.openstack.version.MicroversionRange;
import org.leasehold.vocabulary.ProjectId;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The mechanism that keeps others from leased hosts, and all projects from free hosts. */
enum HostIsolation {
    /** A filter in Nova's scheduler that knows the freepool, and the owner of a reservation. */
    FILTER,
    /** Nova's own isolation of tenants: a host is for the projects that its aggregates name. */
    TENANCY;

    /** An owner that no project has. Both filters compare the owner with a project's id. */
    static final String NO_OWNER = "0".repeat(32);

    /** Nova's first microversion of 2024.1, which removed AvailabilityZoneFilter. */
    private static final Microversion WITHOUT_ZONE_FILTER = Microversion.of("2.96");

    private static final String SETTING = "leasehold.plugins.openstack-hosts.isolation";
    private static final String OWNER = "blazar:owner";
    private static final String TENANT = "filter_tenant_id";

    static HostIsolation of(String name) {
        return Arrays.stream(values())
                .filter(mode -> mode.settingValue().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "the setting isolation is filter or tenancy, not " + name));
    }

    /** Returns the metadata of an aggregate whose hosts are the project's. */
    Map<String, String> projectMetadata(ProjectId project) {
        return ownerMetadata(project.value());
    }

    /** Returns the metadata of an aggregate on whose hosts no server may start any more. */
    Map<String, String> closedMetadata() {
        return ownerMetadata(NO_OWNER);
    }

    /**
     * Returns the metadata of the freepool. Its hosts may also be in aggregates of reservations of
     * instances, which admit their projects. So a server must also request what is reservable.
     */
    Map<String, String> freepoolMetadata() {
        return switch (this) {
            case FILTER -> Map.of();
            case TENANCY ->
                    Map.of(TENANT, NO_OWNER, "trait:" + ResourceProvider.RESERVABLE, "required");
        };
    }

    /**
     * Returns whether a server may be on a free host: the filter admits preemptible ones to the
     * freepool if the operator configures so.
     */
    boolean admits(Guest guest) {
        return switch (this) {
            case FILTER -> guest.isPreemptible() && guest.reservation().isEmpty();
            case TENANCY -> false;
        };
    }

    /**
     * Returns a hint that Nova has the other mode, in words for every reader. Nova does not show
     * the filters of its scheduler, but they read the freepool's metadata.
     */
    Optional<String> describeMismatch(NovaAggregate freepool) {
        if (freepool.hosts().isEmpty()) {
            // It opens no host to other projects.
            return Optional.empty();
        }
        String tenant = freepool.metadata().get(TENANT);
        return switch (this) {
            case FILTER ->
                    NO_OWNER.equals(tenant)
                            ? Optional.of(
                                    describeMismatch(
                                            "has %s, as for tenancy: set tenancy, or remove that"
                                                    + " property if Nova has the filter"))
                            : Optional.empty();
            case TENANCY ->
                    tenant == null
                            ? Optional.of(
                                    describeMismatch(
                                            "lacks %s, as for filter: set filter, or give it that"
                                                    + " property if Nova isolates tenants"))
                            : Optional.empty();
        };
    }

    /** Returns what Nova needs besides the filters, which its API does not show either. */
    Optional<String> describeZoneNeed(MicroversionRange nova) {
        return switch (this) {
            case FILTER -> Optional.empty();
            case TENANCY ->
                    nova.newest().compareTo(WITHOUT_ZONE_FILTER) < 0
                            ? Optional.empty()
                            : Optional.of(
                                    "Nova 2024.1 and later has no AvailabilityZoneFilter. With"
                                            + " isolation tenancy, it needs an aggregate of all"
                                            + " ordinary hosts, with the zone in"
                                            + " default_schedule_zone");
        };
    }

    private String describeMismatch(String how) {
        return "%s is %s, but the aggregate %s %s"
                .formatted(SETTING, settingValue(), NovaAggregate.FREEPOOL, how.formatted(TENANT));
    }

    private Map<String, String> ownerMetadata(String owner) {
        Map<String, String> metadata = new TreeMap<>(Map.of(OWNER, owner));
        switch (this) {
            case FILTER -> {}
            case TENANCY -> metadata.put(TENANT, owner);
        }
        return metadata;
    }

    private String settingValue() {
        return name().toLowerCase(Locale.ROOT);
    }
}
