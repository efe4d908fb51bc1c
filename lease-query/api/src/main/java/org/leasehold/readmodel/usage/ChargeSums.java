package org.leasehold.readmodel.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Sums of charges, computed from all leases of a window. They are sums of the rounded lines, so
 * they equal the lines to the last digit.
 *
 * @param sums a page of sums, by lease id or by project
 * @param totals of the whole window, one for each currency, by its code
 */
public record ChargeSums(Page<Sum> sums, List<Money> totals) {

    /** The largest number of leases in a window of sums, with and without charges. */
    public static final int MAX_LEASES = 20_000;

    /** The number of leases whose lines are in memory at once. */
    private static final int PART_SIZE = 100;

    /** The prefix that distinguishes markers of projects from other texts. */
    private static final String PROJECT_PREFIX = "project ";

    public ChargeSums {
        totals = List.copyOf(totals);
    }

    /**
     * The sum of a lease or of a project.
     *
     * @param lease null for the sum of a project
     * @param leases the number of leases with charges in the window
     * @param totals one for each currency, by its code
     */
    public record Sum(@Nullable LeaseId lease, ProjectId project, int leases, List<Money> totals) {

        public Sum {
            totals = List.copyOf(totals);
        }
    }

    /** The rejection of a window with too many leases. */
    public static final class TooManyLeases extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyLeases() {
            super("has more than %s leases".formatted(MAX_LEASES));
        }
    }

    /**
     * Returns sums by lease, in the order of their ids.
     *
     * @throws UnknownMarker if no page gave the marker
     * @throws TooManyLeases if the window has too many of them
     */
    public static ChargeSums byLease(Charges charges, ListCharges question) {
        String marker = question.marker();
        String last = marker == null ? "" : Page.parseMarker(marker, LeaseId::of).toString();
        return sum(
                charges,
                question,
                last,
                UnaryOperator.identity(),
                lease -> lease.lease().toString(),
                lease -> new Group(lease.lease(), lease.project()));
    }

    /**
     * Returns sums by project, in the order of their ids.
     *
     * @throws UnknownMarker if no page gave the marker
     * @throws TooManyLeases if the window has too many leases
     */
    public static ChargeSums byProject(Charges charges, ListCharges question) {
        String marker = question.marker();
        return sum(
                charges,
                question,
                marker == null ? "" : Page.parseMarker(marker, ChargeSums::projectOf),
                ChargeSums::projectMarker,
                lease -> lease.project().value(),
                lease -> new Group(null, lease.project()));
    }

    private static String projectMarker(String project) {
        return Page.encodeMarker(PROJECT_PREFIX + project);
    }

    private static String projectOf(String marker) {
        String decoded = Page.decodeMarker(marker);
        if (!decoded.startsWith(PROJECT_PREFIX)) {
            throw new IllegalArgumentException("not a marker: " + marker);
        }
        return decoded.substring(PROJECT_PREFIX.length());
    }

    private static ChargeSums sum(
            Charges charges,
            ListCharges question,
            String last,
            UnaryOperator<String> marker,
            Function<LeaseCharges, String> key,
            Function<LeaseCharges, Group> group) {
        Map<String, Group> groups = new TreeMap<>();
        Totals totals = new Totals();
        int parts = 0;
        ListCharges rest = question.part(null, PART_SIZE);
        while (rest != null) {
            parts++;
            // Leases without charges count, too: they are no items, but cost as much.
            if (parts > MAX_LEASES / PART_SIZE) {
                throw new TooManyLeases();
            }
            Page<LeaseCharges> page = charges.page(rest);
            for (LeaseCharges lease : page.items()) {
                totals.add(lease);
                String name = key.apply(lease);
                if (name.compareTo(last) > 0) {
                    groups.computeIfAbsent(name, _ -> group.apply(lease)).add(lease);
                }
            }
            String next = page.next();
            rest = next == null ? null : question.part(next, PART_SIZE);
        }
        // One sum more than requested shows whether there is a next page.
        List<Map.Entry<String, Group>> found =
                groups.entrySet().stream().limit(question.limit() + 1L).toList();
        return new ChargeSums(
                Page.of(found, question.limit(), entry -> marker.apply(entry.getKey()))
                        .map(entry -> entry.getValue().sum()),
                totals.money());
    }

    private static final class Group {

        private final @Nullable LeaseId lease;
        private final ProjectId project;
        private final Totals totals = new Totals();
        private int leases;

        Group(@Nullable LeaseId lease, ProjectId project) {
            this.lease = lease;
            this.project = project;
        }

        void add(LeaseCharges charges) {
            leases++;
            totals.add(charges);
        }

        Sum sum() {
            return new Sum(lease, project, leases, totals.money());
        }
    }

    private static final class Totals {

        private final Map<Currency, Money> sums =
                new TreeMap<>(Comparator.comparing(Currency::getCurrencyCode));

        void add(LeaseCharges charges) {
            charges.charges()
                    .forEach(charge -> sums.merge(charge.currency(), charge.amount(), Money::plus));
        }

        List<Money> money() {
            return new ArrayList<>(sums.values());
        }
    }
}
