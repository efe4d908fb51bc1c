package org.leasehold.calendar;

import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Refused demand: the number of resources that a request did not get in a period. For shared
 * resources, the number counts slots.
 *
 * @param amount at least 1
 */
public record RefusedDemand(int amount, LeasePeriod period) {

    /**
     * Returns the refused demand beyond what the lease keeps. Time before the decision does not
     * count: the engine could grant nothing there.
     *
     * @param wanted the number requested for the whole window
     * @param decided the time of the refusal
     * @param kept the requested resources that the lease has or will have; empty if it is new
     * @return the unmet demand in order of time, without gaps where the amount is the same; empty
     *     if the lease has everything
     */
    public static List<RefusedDemand> of(
            int wanted, LeasePeriod period, Instant decided, Collection<Kept> kept) {
        Instant from = decided.isAfter(period.start()) ? decided : period.start();
        if (!from.isBefore(period.end())) {
            return List.of();
        }
        NavigableMap<Instant, Integer> steps = new TreeMap<>();
        addStep(steps, from, wanted);
        for (Kept each : kept) {
            Instant starts = each.starts().isAfter(from) ? each.starts() : from;
            Instant ends = each.ends().isBefore(period.end()) ? each.ends() : period.end();
            if (starts.isBefore(ends)) {
                addStep(steps, starts, -each.amount());
                addStep(steps, ends, each.amount());
            }
        }
        addStep(steps, period.end(), 0);
        return toPeriods(steps, period.end());
    }

    private static void addStep(NavigableMap<Instant, Integer> steps, Instant at, int change) {
        steps.merge(at, change, Integer::sum);
    }

    private static List<RefusedDemand> toPeriods(
            NavigableMap<Instant, Integer> steps, Instant end) {
        List<RefusedDemand> unmet = new ArrayList<>();
        int missing = 0;
        Instant since = steps.firstKey();
        for (Map.Entry<Instant, Integer> step : steps.entrySet()) {
            if (step.getValue() == 0 && step.getKey().isBefore(end)) {
                continue;
            }
            if (missing > 0) {
                unmet.add(new RefusedDemand(missing, new LeasePeriod(since, step.getKey())));
            }
            missing += step.getValue();
            since = step.getKey();
        }
        return unmet;
    }

    /**
     * A part of the resources that a lease has or will have.
     *
     * @param amount the number of resources, or of slots
     * @param starts inclusive
     * @param ends exclusive
     */
    public record Kept(int amount, Instant starts, Instant ends) {}
}
