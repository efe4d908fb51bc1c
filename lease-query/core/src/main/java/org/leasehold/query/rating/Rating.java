package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.rating.Rate.Premium;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.Charge.What;
import org.leasehold.vocabulary.ReservationId;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The computation of a lease's costs. Its account is cut wherever a price may change, and at the
 * beginning of each month in UTC. Each part is priced alone, and adjacent parts at the same price
 * are joined. Lost time is priced as if it had been active, and credited separately.
 */
final class Rating {

    private final ChargeableLease lease;
    private final Function<ResourceId, ResourceKind> kindOf;
    private final PricePlans plans;
    private final Instant from;
    private final Instant to;

    private Rating(
            ChargeableLease lease,
            Function<ResourceId, ResourceKind> kindOf,
            PricePlans plans,
            Instant from,
            Instant to) {
        this.lease = lease;
        this.kindOf = kindOf;
        this.plans = plans;
        this.from = from;
        this.to = to;
    }

    /**
     * Returns the costs in a window.
     *
     * @param kindOf the kind of a resource
     * @param from inclusive
     * @param to exclusive
     * @return by reservation: one-off charges, then each use, in the order of the account
     */
    static List<Charge> of(
            ChargeableLease lease,
            Function<ResourceId, ResourceKind> kindOf,
            PricePlans plans,
            Instant from,
            Instant to) {
        return new Rating(lease, kindOf, plans, from, to).charges();
    }

    private List<Charge> charges() {
        Map<ReservationId, List<AccountEntry>> reserved = new LinkedHashMap<>();
        lease.kinds().keySet().forEach(id -> reserved.put(id, new ArrayList<>()));
        for (AccountEntry entry : lease.account()) {
            if (timeOf(entry) != null) {
                Objects.requireNonNull(reserved.get(entry.reservation())).add(entry);
            }
        }
        List<Charge> charges = new ArrayList<>();
        reserved.forEach(
                (id, entries) -> {
                    addFees(id, entries, charges);
                    addUses(id, entries, charges);
                });
        return charges;
    }

    /** Returns the time; null for overrun, which is free: a slow end is not the project's fault. */
    private static @Nullable Time timeOf(AccountEntry entry) {
        return switch (entry.what()) {
            case ACTIVE -> Time.ACTIVE;
            case LOST -> Time.LOST;
            case OVERRUN -> null;
        };
    }

    private void addFees(ReservationId id, List<AccountEntry> entries, List<Charge> charges) {
        Instant promised = lease.promised().get(id);
        if (promised != null) {
            addFee(id, What.RESERVATION_FEE, promised, Rate::reservationFee, charges);
        }
        entries.stream()
                .filter(entry -> timeOf(entry) == Time.ACTIVE)
                .map(AccountEntry::starts)
                .min(Instant::compareTo)
                .ifPresent(first -> addFee(id, What.FEE, first, Rate::fee, charges));
    }

    private void addFee(
            ReservationId id,
            What what,
            Instant at,
            Function<Rate, BigDecimal> fee,
            List<Charge> charges) {
        ResourceKind kind = kindOf(id);
        PricePlan plan = plans.at(at);
        if (plan == null || at.isBefore(from) || !at.isBefore(to)) {
            return;
        }
        Rate rate = plan.fees(kind);
        if (rate == null || fee.apply(rate).signum() == 0) {
            return;
        }
        charges.add(
                new Charge(
                        id,
                        kind,
                        null,
                        what,
                        null,
                        plan.name(),
                        at,
                        at,
                        fee.apply(rate),
                        plan.currency()));
    }

    private ResourceKind kindOf(ReservationId id) {
        return Objects.requireNonNull(lease.kinds().get(id));
    }

    private void addUses(ReservationId id, List<AccountEntry> entries, List<Charge> charges) {
        if (entries.isEmpty()) {
            return;
        }
        Instant begin =
                entries.stream().map(AccountEntry::starts).min(Instant::compareTo).orElseThrow();
        PromisedSlots amounts = PromisedSlots.of(entries, kindOf);
        NavigableSet<Instant> cuts = priceChanges(begin, kindOf(id), amounts);
        for (AccountEntry entry : entries) {
            addUse(entry, begin, amounts, cuts, charges);
        }
    }

    /** Returns the instants at which a price may change. */
    private NavigableSet<Instant> priceChanges(
            Instant begin, ResourceKind kind, PromisedSlots amounts) {
        NavigableSet<Instant> cuts = new TreeSet<>();
        for (PricePlan plan : plans.all()) {
            cuts.add(plan.from());
            for (Rate rate : plan.rates()) {
                if (rate.kind().equals(kind)) {
                    rate.tiers().forEach(tier -> cuts.add(begin.plus(tier.from())));
                    if (rate.premiums().stream().anyMatch(Rate.OfAmount.class::isInstance)) {
                        cuts.addAll(amounts.changes());
                    }
                }
            }
        }
        return cuts;
    }

    private void addUse(
            AccountEntry entry,
            Instant begin,
            PromisedSlots amounts,
            NavigableSet<Instant> cuts,
            List<Charge> charges) {
        Instant end = entry.ends().isAfter(to) ? to : entry.ends();
        Instant at = entry.starts().isBefore(from) ? from : entry.starts();
        List<Charge> before = List.of();
        List<Charge> lines = new ArrayList<>();
        while (at.isBefore(end)) {
            Instant month = nextMonth(at);
            Instant cut = cuts.higher(at);
            Instant until = month.isBefore(end) ? month : end;
            until = cut == null || until.isBefore(cut) ? until : cut;
            List<Charge> priced =
                    chargesForInterval(entry, at, until, Duration.between(begin, at), amounts);
            boolean goesOn =
                    !isStartOfMonth(at)
                            && priced.size() == before.size()
                            && !priced.isEmpty()
                            && continues(before, priced);
            if (goesOn) {
                priced = extendTo(before, until);
                lines.subList(lines.size() - before.size(), lines.size()).clear();
            }
            lines.addAll(priced);
            before = priced;
            at = until;
        }
        charges.addAll(lines);
    }

    private static boolean continues(List<Charge> before, List<Charge> after) {
        for (int i = 0; i < before.size(); i++) {
            if (!after.get(i).continues(before.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<Charge> extendTo(List<Charge> lines, Instant until) {
        return lines.stream().map(line -> line.during(line.from(), until)).toList();
    }

    private static Instant nextMonth(Instant instant) {
        LocalDate day = instant.atOffset(ZoneOffset.UTC).toLocalDate();
        return day.withDayOfMonth(1).plusMonths(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static boolean isStartOfMonth(Instant instant) {
        return instant.equals(nextMonth(instant.minusNanos(1)));
    }

    /** Returns the price, premiums and credits of a part of an entry without price changes. */
    private List<Charge> chargesForInterval(
            AccountEntry entry, Instant at, Instant until, Duration age, PromisedSlots amounts) {
        ResourceKind kind = kindOf(entry.reservation());
        ResourceKind resources = kindOf.apply(entry.resource());
        PricePlan plan = plans.at(at);
        if (plan == null) {
            return List.of();
        }
        Rate rate = plan.rate(kind, resources);
        if (rate == null) {
            return List.of();
        }
        Allocation allocation = Objects.requireNonNull(entry.promised());
        Time time = Objects.requireNonNull(timeOf(entry));
        long quantity = rate.quantity(allocation, entry.slots());
        if (quantity == 0) {
            return List.of();
        }
        Use use =
                new Use(entry.resource(), allocation.name(), resources, quantity, rate.per(), time);
        BigDecimal price = rate.price(age);
        List<Charge> lines = new ArrayList<>();
        lines.add(
                new Charge(
                        entry.reservation(),
                        kind,
                        use,
                        What.USAGE,
                        null,
                        plan.name(),
                        at,
                        until,
                        price,
                        plan.currency()));
        for (Premium premium : rate.premiums(allocation, amounts.at(resources, at))) {
            lines.add(
                    new Charge(
                            entry.reservation(),
                            kind,
                            use,
                            What.PREMIUM,
                            premium.reason(),
                            plan.name(),
                            at,
                            until,
                            price.multiply(premium.part()),
                            plan.currency()));
        }
        if (time == Time.LOST && rate.credit().signum() > 0) {
            // Line by line: the credit of a line is never more than the line, rounded or not.
            List.copyOf(lines).forEach(line -> lines.add(credit(line, rate.credit())));
        }
        return List.copyOf(lines);
    }

    private static Charge credit(Charge line, BigDecimal part) {
        return new Charge(
                line.reservation(),
                line.kind(),
                line.use(),
                What.CREDIT,
                line.reason(),
                line.plan(),
                line.from(),
                line.until(),
                line.price().multiply(part).negate(),
                line.currency());
    }
}
