package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.lease.Lease.CorruptLeaseHistory;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.InvalidReservation;
import org.leasehold.lease.LeaseRejection.KindIsFixed;
import org.leasehold.lease.LeaseRejection.UnknownKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Planning.Plan.Invalid;
import org.leasehold.resource.Planning.Plan.Planned;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.StartOrder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts requests into demands, with the planning half of their plug-ins. */
final class DemandPlanner {

    /** The key under which clients repeat a reservation's kind among the changes to it. */
    private static final String KIND = "resource_type";

    private final Plugins plugins;
    private final StartOrder startOrder;

    DemandPlanner(Plugins plugins) {
        this.plugins = plugins;
        this.startOrder = StartOrder.of(plugins);
    }

    /** Returns the order in which the reservations of a lease start. */
    StartOrder startOrder() {
        return startOrder;
    }

    /** A request in its plug-in's normal form, and its demands of the calendar. */
    record Understood(ReservationWish wish, List<Demand> demands) {}

    /** The result: all understood requests, or the rejection of the first invalid one. */
    sealed interface Reading {

        record Clear(List<Understood> wishes) implements Reading {}

        record Unclear(LeaseRejection rejection) implements Reading {}
    }

    Reading read(List<ReservationWish> wishes) {
        List<Understood> understood = new ArrayList<>();
        for (int index = 0; index < wishes.size(); index++) {
            ReservationWish wish = wishes.get(index);
            Optional<Planning> planning = planning(wish);
            if (planning.isEmpty()) {
                return new Reading.Unclear(new UnknownKind(wish.kind()));
            }
            switch (planning.get().plan(wish.parameters())) {
                case Planned(var parameters, var demands) ->
                        understood.add(new Understood(wish.with(parameters), demands));
                case Invalid(String field, String message) -> {
                    return new Reading.Unclear(new InvalidReservation(index, field, message));
                }
            }
        }
        return new Reading.Clear(understood);
    }

    /** Returns whether running reservations of a kind may get others for failed resources. */
    boolean replacesFailedResources(ResourceKind kind) {
        return plugins.find(kind)
                .filter(plugin -> plugin.planning().replacesFailedResources())
                .isPresent();
    }

    /** Returns the demands of a request that was understood before. */
    List<Demand> demandsOf(ReservationWish wish) {
        return switch (plan(wish)) {
            case Planned planned -> planned.demands();
            case Invalid invalid ->
                    throw new CorruptLeaseHistory(
                            wish + " was accepted, but: " + invalid.message());
        };
    }

    /** Reads a running or pending reservation with some parameters changed. */
    Reading read(int index, Reservation reservation, Map<String, @Nullable Object> changes) {
        ReservationWish wish = reservation.wish();
        Object kind = changes.getOrDefault(KIND, wish.kind().value());
        if (!wish.kind().value().equals(kind)) {
            return new Reading.Unclear(new KindIsFixed(wish.id()));
        }
        Optional<Planning> planning = planning(wish);
        if (planning.isEmpty()) {
            return new Reading.Unclear(new UnknownKind(wish.kind()));
        }
        return switch (planning.get()
                .change(wish.parameters(), changes, reservation.hasResources())) {
            case Planned(var parameters, var demands) ->
                    new Reading.Clear(List.of(new Understood(wish.with(parameters), demands)));
            case Invalid(String field, String message) ->
                    new Reading.Unclear(new InvalidReservation(index, field, message));
        };
    }

    /**
     * Returns a running reservation without the needs that it had only until the cloud confirmed
     * its last change; empty if the confirmation changes nothing.
     */
    Optional<Understood> confirmed(ReservationWish wish) {
        return planning(wish)
                .flatMap(planning -> planning.planConfirmed(wish.parameters()))
                .map(plan -> new Understood(wish.with(plan.parameters()), plan.demands()));
    }

    /** Returns true if the plug-in must act on a change that adds and removes no resources. */
    boolean needsAdjustment(ReservationWish before, ReservationWish after) {
        return planning(before)
                .filter(
                        planning ->
                                planning.needsAdjustment(before.parameters(), after.parameters()))
                .isPresent();
    }

    private Plan plan(ReservationWish wish) {
        return planning(wish)
                .orElseThrow(() -> new IllegalStateException("no plugin is on for " + wish.kind()))
                .plan(wish.parameters());
    }

    private Optional<Planning> planning(ReservationWish wish) {
        return plugins.find(wish.kind()).map(ResourcePlugin::planning);
    }
}
