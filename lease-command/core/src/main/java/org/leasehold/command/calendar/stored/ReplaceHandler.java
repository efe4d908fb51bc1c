package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.Holders.Condition;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Handles {@link Replace}: each claim on a resource out of service moves to another resource, if
 * one is free. The other claims stay as they are.
 */
public final class ReplaceHandler {

    private final Holders holders;
    private final ReplacementSearch replacementSearch;
    private final ClaimMove claimMove;

    public ReplaceHandler(InventoryCache inventories, Claims claims, Holders holders) {
        this.holders = holders;
        this.replacementSearch = new ReplacementSearch(inventories, claims);
        this.claimMove = new ClaimMove(claims);
    }

    public Grant.Replaced replace(Replace request) {
        List<UnfitAllocation> outOfService = findOutOfService(request.reservations());
        if (outOfService.isEmpty()) {
            return new Grant.Replaced(List.of());
        }
        return new Grant.Replaced(
                claimMove.move(
                        request.lease(),
                        request.project(),
                        replacementSearch.search(request.reservations(), outOfService, false)));
    }

    /** Returns the granted resources out of service; none changes before the transaction ends. */
    private List<UnfitAllocation> findOutOfService(List<Granted> reservations) {
        Map<ResourceId, Condition> conditions =
                holders.lockConditions(Granted.resources(reservations));
        List<UnfitAllocation> found = new ArrayList<>();
        for (Granted granted : reservations) {
            for (Allocation allocation : granted.allocations()) {
                Condition condition = Objects.requireNonNull(conditions.get(allocation.resource()));
                if (!condition.inService()) {
                    found.add(UnfitAllocation.outOfService(granted, allocation, condition));
                }
            }
        }
        return found;
    }
}
