package org.leasehold.gateway.api.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;

import java.util.Locale;
import java.util.UUID;

/** The target of a plug-in's action: a reservation or a resource, of which the other is null. */
public record CallTarget(
        @Nullable UUID leaseId,
        @Nullable UUID reservationId,
        @Nullable Long resourceId,
        @Nullable String kind,
        @Nullable String name,
        String action) {

    public static CallTarget of(Target target) {
        return switch (target) {
            case Target.Reservation(var lease, var reservation, var action) ->
                    new CallTarget(
                            lease.value(), reservation.value(), null, null, null, word(action));
            case Target.Resource(var resource, var kind, var name, var change) ->
                    new CallTarget(null, null, resource.value(), kind.value(), name, word(change));
        };
    }

    public static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }
}
