package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.Provider;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * All things in the cloud that belong to reservations of instances. Each sort of things is searched
 * separately: an operator may have deleted some of them.
 */
final class SurveyOfInstances {

    private final Cloud cloud;
    private final Placement placement;
    private final SideBySide sideBySide;
    private final Map<ReservationId, List<String>> things = new LinkedHashMap<>();

    SurveyOfInstances(Cloud cloud, SideBySide sideBySide) {
        this.cloud = cloud;
        this.placement = new Placement(cloud);
        this.sideBySide = sideBySide;
    }

    Map<ReservationId, List<String>> things() {
        ReservedFlavor.all(cloud).forEach(its -> add(its, "flavor/" + its));
        List<ReservationId> withClasses =
                placement.classes().stream()
                        .flatMap(name -> ReservedSlots.reservationOf(name).stream())
                        .toList();
        withClasses.forEach(its -> add(its, "resource class/" + its));
        ReservedGroup.all(cloud).forEach(its -> add(its, "server group/" + its));
        new Nova(cloud)
                .aggregates()
                .things(ReservedInstances::isOwn)
                .forEach((its, found) -> found.forEach(thing -> add(its, thing)));
        if (!withClasses.isEmpty()) {
            addSlots();
        }
        return things;
    }

    /** Adds slots. Placement lists the classes of a provider, but not the providers of a class. */
    private void addSlots() {
        List<Provider> parts =
                placement.providers().stream()
                        .filter(provider -> provider.hypervisor().isPresent())
                        .sorted(Comparator.comparing(Provider::name))
                        .toList();
        sideBySide
                .map(parts, part -> new Part(part, placement.totals(part)))
                .forEach(this::addSlots);
    }

    private void addSlots(Part part) {
        String host = part.provider().hypervisor().orElseThrow();
        part.totals()
                .forEach(
                        (name, total) ->
                                ReservedSlots.reservationOf(name)
                                        .ifPresent(its -> add(its, slots(host, total))));
    }

    /** Returns the name of a number of slots on a hypervisor. */
    static String slots(String hypervisor, long count) {
        return "slots/" + hypervisor + "/" + count;
    }

    /** A part of a host, and its total of each class. */
    private record Part(Provider provider, SortedMap<String, Long> totals) {}

    private void add(ReservationId reservation, String thing) {
        things.computeIfAbsent(reservation, _ -> new ArrayList<>()).add(thing);
    }
}
