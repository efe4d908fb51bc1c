package org.leasehold.calendar;

import org.leasehold.lease.LeasePeriod;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Demand that was refused: how many resources were asked for and not given, from one instant to
 * another. Where resources are shared, what is counted are slots.
 *
 * @param amount at least 1
 */
public record Unmet(int amount, LeasePeriod period) {

    /**
     * Of something that was refused: what was asked for beyond what the lease keeps. Of the time
     * that was over by then, nobody could be given anything.
     *
     * @param wanted how many were asked for throughout the window
     * @param decided when it was refused
     * @param kept what the lease has, or is to have, of what was asked for: nothing if it is new
     * @return in the order of time, without a gap where the amount is the same; empty if the lease
     *     has all of it
     */
    public static List<Unmet> of(
            int wanted, LeasePeriod period, Instant decided, Collection<Kept> kept) {
        Instant from = decided.isAfter(period.start()) ? decided : period.start();
        if (!from.isBefore(period.end())) {
            return List.of();
        }
        NavigableMap<Instant, Integer> steps = new TreeMap<>();
        step(steps, from, wanted);
        for (Kept each : kept) {
            Instant starts = each.starts().isAfter(from) ? each.starts() : from;
            Instant ends = each.ends().isBefore(period.end()) ? each.ends() : period.end();
            if (starts.isBefore(ends)) {
                step(steps, starts, -each.amount());
                step(steps, ends, each.amount());
            }
        }
        step(steps, period.end(), 0);
        return between(steps, period.end());
    }

    private static void step(NavigableMap<Instant, Integer> steps, Instant at, int change) {
        steps.merge(at, change, Integer::sum);
    }

    private static List<Unmet> between(NavigableMap<Instant, Integer> steps, Instant end) {
        List<Unmet> unmet = new ArrayList<>();
        int missing = 0;
        Instant since = steps.firstKey();
        for (Map.Entry<Instant, Integer> step : steps.entrySet()) {
            if (step.getValue() == 0 && step.getKey().isBefore(end)) {
                continue;
            }
            if (missing > 0) {
                unmet.add(new Unmet(missing, new LeasePeriod(since, step.getKey())));
            }
            missing += step.getValue();
            since = step.getKey();
        }
        return unmet;
    }

    /**
     * Some of what a lease has, or is to have.
     *
     * @param amount resources, or slots
     * @param starts inclusive
     * @param ends exclusive
     */
    public record Kept(int amount, Instant starts, Instant ends) {}
}
