package org.leasehold.gateway.api.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Difference;

import java.util.Locale;

/**
 * Pages of the drift. Each request compares again, so a page contains what differs after its marker
 * now.
 */
final class DriftPages {

    private DriftPages() {}

    /** Returns a page of all differences: list by list, each by kind and id. */
    static Page<Difference> page(Drift.Comparison found, @Nullable String marker, int limit) {
        return Page.ofAll(found.all(), DriftPages::key, marker, limit);
    }

    private static String key(Difference difference) {
        return switch (difference) {
            case Drift.Leftover found -> key(1, found.kind(), found.reservation().toString());
            case Drift.Missing found -> key(2, found.kind(), found.reservation().toString());
            case Drift.Squatter found -> key(3, found.kind(), found.id() + " " + found.resource());
            case Drift.Stray found -> key(4, found.kind(), sortable(found.resource().value()));
            case Drift.Orphan found -> "5 " + found.trust().value();
            case Drift.Abandoned found -> "6 " + found.lease();
            case Drift.Unseen found -> key(7, found.kind(), "");
        };
    }

    /** Returns a number as text of a fixed length, so that texts have the order of numbers. */
    private static String sortable(long number) {
        return String.format(Locale.ROOT, "%019d", number);
    }

    private static String key(int list, ResourceKind kind, String id) {
        return list + " " + kind.value() + " " + id;
    }
}
