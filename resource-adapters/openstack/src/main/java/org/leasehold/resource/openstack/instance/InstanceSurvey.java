package org.leasehold.resource.openstack.instance;

import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * All objects in the cloud that belong to reservations of instances. Each type of object is
 * searched separately: an operator may have deleted some of them.
 */
final class InstanceSurvey {

    private final Cloud cloud;
    private final Placement placement;
    private final ParallelCalls parallelCalls;
    private final Map<ReservationId, List<String>> resourcesByReservation = new LinkedHashMap<>();

    InstanceSurvey(Cloud cloud, ParallelCalls sideBySide) {
        this.cloud = cloud;
        this.placement = new Placement(cloud);
        this.parallelCalls = sideBySide;
    }

    Map<ReservationId, List<String>> findAll() {
        ReservedFlavor.allReservations(cloud).forEach(holder -> add(holder, "flavor/" + holder));
        List<ReservationId> withClasses =
                placement.classes().stream()
                        .flatMap(name -> ReservedSlots.reservationOf(name).stream())
                        .toList();
        withClasses.forEach(holder -> add(holder, "resource class/" + holder));
        ReservedServerGroup.allReservations(cloud)
                .forEach(holder -> add(holder, "server group/" + holder));
        new Nova(cloud)
                .aggregates()
                .resourcesByReservation(ReservedInstances::isOfInstances)
                .forEach((holder, found) -> found.forEach(thing -> add(holder, thing)));
        if (!withClasses.isEmpty()) {
            addSlots();
        }
        return resourcesByReservation;
    }

    /** Adds slots. Placement lists the classes of a provider, but not the providers of a class. */
    private void addSlots() {
        List<ResourceProvider> parts =
                placement.providers().stream()
                        .filter(provider -> provider.hypervisor().isPresent())
                        .sorted(Comparator.comparing(ResourceProvider::name))
                        .toList();
        parallelCalls
                .map(parts, part -> new Part(part, placement.totals(part)))
                .forEach(this::addSlots);
    }

    private void addSlots(Part part) {
        String host = part.provider().hypervisor().orElseThrow();
        part.totals()
                .forEach(
                        (name, total) ->
                                ReservedSlots.reservationOf(name)
                                        .ifPresent(holder -> add(holder, slotsName(host, total))));
    }

    /** Returns the name of a number of slots on a hypervisor. */
    static String slotsName(String hypervisor, long count) {
        return "slots/" + hypervisor + "/" + count;
    }

    /** A part of a host, and its total of each class. */
    private record Part(ResourceProvider provider, SortedMap<String, Long> totals) {}

    private void add(ReservationId reservation, String thing) {
        resourcesByReservation.computeIfAbsent(reservation, _ -> new ArrayList<>()).add(thing);
    }
}
