package org.leasehold.demo;

import org.leasehold.demo.WorkloadStep.Asked;
import org.leasehold.demo.WorkloadStep.Cancelled;
import org.leasehold.demo.WorkloadStep.GivenBack;
import org.leasehold.demo.WorkloadStep.Mended;
import org.leasehold.demo.WorkloadStep.NoShow;
import org.leasehold.demo.WorkloadStep.Prolonged;
import org.leasehold.demo.WorkloadStep.Seen;
import org.leasehold.demo.WorkloadStep.Trouble;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The requests, and the outages of hosts, in some days: all drawn from one seed, independent of the
 * engine's decisions. All leases end before the last day does; longer ones are cut.
 *
 * @param from the beginning
 * @param until the end; nothing happens from then on
 * @param happenings the events, ordered by time
 */
record Workload(Instant from, Instant until, List<WorkloadStep> happenings) {

    /** The time between the end of the last lease and the end of all days. */
    static final Duration QUIET_PERIOD = Duration.ofHours(1);

    Workload {
        happenings = List.copyOf(happenings);
    }

    /**
     * Draws a workload.
     *
     * @param until the end, a full hour
     */
    static Workload of(long seed, Instant until, int days) {
        Instant from = until.minus(Duration.ofDays(days));
        WorkloadRandom draw = WorkloadRandom.of(seed);
        List<WorkloadStep> happenings =
                new ArrayList<>(FleetOperations.of(draw.split(), from, until));
        // A separate source: the use of leases must not change the requests.
        WorkloadRandom working = WorkloadRandom.of(Long.reverse(seed));
        SeasonalRequestRates season = new SeasonalRequestRates(from);
        for (Project project : Project.ALL) {
            new Asking(draw.split(), working.split(), project, season, until, happenings)
                    .generateAll(from);
        }
        // Sorting is stable, so it preserves the order of simultaneous events.
        happenings.sort(Comparator.comparing(WorkloadStep::at));
        return new Workload(from, until, happenings);
    }

    /** The requests of one project, and their later changes. */
    private record Asking(
            WorkloadRandom draw,
            WorkloadRandom working,
            Project project,
            SeasonalRequestRates season,
            Instant until,
            List<WorkloadStep> happenings) {

        private static final Duration HOUR = Duration.ofHours(1);
        private static final Duration NIGHT_LENGTH = Duration.ofHours(10);
        private static final LocalTime EVENING_START = LocalTime.of(20, 0);
        private static final int MAX_DAYS_AHEAD = 20;
        private static final Duration OBSERVATION_INTERVAL = Duration.ofMinutes(5);
        private static final int MAX_SERVERS = 4;

        /** A lease about to be requested. */
        private record Plan(Instant start, Duration length, List<RequestedResources> wishes) {}

        void generateAll(Instant from) {
            for (Instant hour = from; hour.isBefore(until); hour = hour.plus(HOUR)) {
                int leases = draw.poisson(season.leasesPerHour(project.temperament(), hour));
                for (int n = 0; n < leases; n++) {
                    generateLease(hour.plus(draw.upTo(HOUR.minusMinutes(1))));
                }
            }
        }

        private void generateLease(Instant asked) {
            Plan plan =
                    switch (project.temperament()) {
                        case RESEARCH -> research(asked);
                        case TEACHING -> teaching(asked);
                        case BATCH -> batch(asked);
                        case SPONTANEOUS -> spontaneous(asked);
                    };
            Instant start = plan.start();
            Instant end = limitEnd(start.plus(plan.length()));
            LeaseId lease = new LeaseId(draw.uuid());
            String name = project.id() + "-" + draw.between(1, 99_999);
            String user = draw.of(project.users());
            Trouble trouble = drawTrouble();
            if (end.isBefore(start.plus(HOUR))) {
                return;
            }
            happenings.add(
                    new Asked(
                            asked, lease, project, user, name, start, end, plan.wishes(), trouble));
            if (trouble == Trouble.BROKEN) {
                happenings.add(new Mended(later(asked, start).plus(HOUR.dividedBy(2)), lease));
            }
            boolean isUsed = addFollowUps(lease, later(asked, start), end, asked);
            if (plan.wishes().getFirst() instanceof RequestedResources.Hosts) {
                happenings.add(new Seen(later(asked, start).plus(OBSERVATION_INTERVAL), lease, 0));
                if (isUsed) {
                    addUse(lease, later(asked, start), end);
                }
            }
        }

        /** Adds observed use. Most users begin early; some finish long before the end. */
        private void addUse(LeaseId lease, Instant start, Instant end) {
            if (working.drawBoolean(0.05)) {
                return;
            }
            Instant begun =
                    randomInstant(working, start, end, 0.05, 0.2).plus(OBSERVATION_INTERVAL);
            happenings.add(new Seen(begun, lease, working.between(1, MAX_SERVERS)));
            if (working.drawBoolean(0.25)) {
                happenings.add(new Seen(randomInstant(working, start, end, 0.6, 0.9), lease, 0));
            }
        }

        private static Instant later(Instant one, Instant other) {
            return one.isAfter(other) ? one : other;
        }

        private Instant limitEnd(Instant end) {
            Instant last = until.minus(QUIET_PERIOD);
            return end.isAfter(last) ? last : end;
        }

        private Trouble drawTrouble() {
            if (draw.drawBoolean(0.015)) {
                return Trouble.SLOW;
            }
            return draw.drawBoolean(0.005) ? Trouble.BROKEN : Trouble.NONE;
        }

        private Plan research(Instant asked) {
            Instant start =
                    draw.drawBoolean(0.5)
                            ? truncateToMinute(asked)
                            : truncateToHour(asked.plus(hours(draw.drawLogUniform(1, 72))));
            String taste = drawHostFilter(0.11);
            // Rare hosts are requested one by one.
            int least = taste.isEmpty() ? draw.between(1, 3) : 1;
            RequestedResources hosts =
                    new RequestedResources.Hosts(least, least + draw.between(0, 1), taste);
            return new Plan(
                    start,
                    hours(draw.drawLogUniform(6, 144)),
                    draw.drawBoolean(0.1)
                            ? List.of(hosts, new RequestedResources.FloatingIps(draw.between(1, 2)))
                            : List.of(hosts));
        }

        private Plan teaching(Instant asked) {
            ZonedDateTime day =
                    asked.atZone(SeasonalRequestRates.ZONE)
                            .plusDays(draw.between(2, MAX_DAYS_AHEAD));
            while (SeasonalRequestRates.isDayOff(day.toLocalDate())) {
                day = day.plusDays(1);
            }
            int block = draw.of(List.of(8, 10, 12, 14, 16));
            RequestedResources machines =
                    draw.drawBoolean(0.6)
                            ? new RequestedResources.Instances(
                                    draw.of(List.of(2, 4)), 4096, 20, draw.between(10, 30))
                            : new RequestedResources.Hosts(4, draw.between(4, 12), "");
            return new Plan(
                    day.with(LocalTime.of(block, 0)).toInstant(),
                    hours(draw.drawBoolean(0.7) ? 2 : 4),
                    draw.drawBoolean(0.3)
                            ? List.of(machines, new RequestedResources.FloatingIps(1))
                            : List.of(machines));
        }

        private Plan batch(Instant asked) {
            LocalDate day = asked.atZone(SeasonalRequestRates.ZONE).toLocalDate();
            RequestedResources hosts =
                    new RequestedResources.Hosts(draw.between(2, 6), draw.between(6, 12), "");
            return new Plan(
                    day.atTime(EVENING_START).atZone(SeasonalRequestRates.ZONE).toInstant(),
                    NIGHT_LENGTH.plus(hours(draw.between(0, 2))),
                    draw.drawBoolean(0.3)
                            ? List.of(
                                    hosts,
                                    new RequestedResources.Volume(
                                            draw.of(List.of("gold", "silver")),
                                            draw.drawLogUniform(20, 300)))
                            : List.of(hosts));
        }

        private Plan spontaneous(Instant asked) {
            RequestedResources machines =
                    draw.drawBoolean(0.25)
                            ? new RequestedResources.Instances(
                                    draw.of(List.of(1, 2, 4, 8)), 8192, 40, draw.between(1, 4))
                            : new RequestedResources.Hosts(1, 1, drawHostFilter(0.25));
            return new Plan(
                    truncateToMinute(asked),
                    hours(draw.between(1, 6)),
                    draw.drawBoolean(0.15)
                            ? List.of(machines, new RequestedResources.FloatingIps(1))
                            : List.of(machines));
        }

        /** Returns the filter of hosts. */
        private String drawHostFilter(double gpu) {
            if (draw.drawBoolean(gpu)) {
                return draw.drawBoolean(0.85)
                        ? "[\"==\", \"$gpu\", \"V100\"]"
                        : "[\"==\", \"$gpu\", \"A100\"]";
            }
            if (draw.drawBoolean(0.15)) {
                return "[\"==\", \"$ssd\", \"yes\"]";
            }
            return draw.drawBoolean(0.1) ? "[\">=\", \"$vcpus\", \"32\"]" : "";
        }

        private static Duration hours(int hours) {
            return Duration.ofHours(hours);
        }

        /** Returns the current minute, which is <em>now</em> for clients. */
        private static Instant truncateToMinute(Instant asked) {
            return asked.truncatedTo(ChronoUnit.MINUTES);
        }

        private static Instant truncateToHour(Instant instant) {
            return instant.truncatedTo(ChronoUnit.HOURS);
        }

        /** Adds later changes; returns whether the lease is used. */
        private boolean addFollowUps(LeaseId lease, Instant start, Instant end, Instant asked) {
            boolean isUsed = true;
            switch (project.temperament()) {
                case RESEARCH -> {
                    if (draw.drawBoolean(0.2)) {
                        Instant longer = limitEnd(end.plus(hours(draw.drawLogUniform(12, 48))));
                        happenings.add(
                                new Prolonged(randomInstant(start, end, 0.6, 0.95), lease, longer));
                    } else if (draw.drawBoolean(0.15)) {
                        happenings.add(new GivenBack(randomInstant(start, end, 0.5, 0.95), lease));
                    }
                    addCancellation(lease, asked, start, 0.06);
                }
                case TEACHING -> {
                    if (draw.drawBoolean(0.06)) {
                        isUsed = false;
                        happenings.add(new NoShow(randomInstant(start, end, 0.4, 0.5), lease));
                    }
                    addCancellation(lease, asked, start, 0.08);
                }
                case BATCH -> {
                    if (draw.drawBoolean(0.5)) {
                        happenings.add(new GivenBack(randomInstant(start, end, 0.6, 0.98), lease));
                    }
                }
                case SPONTANEOUS -> {
                    if (draw.drawBoolean(0.3)) {
                        happenings.add(new GivenBack(randomInstant(start, end, 0.3, 0.9), lease));
                    }
                }
            }
            return isUsed;
        }

        private void addCancellation(LeaseId lease, Instant asked, Instant start, double share) {
            if (start.isAfter(asked.plus(HOUR)) && draw.drawBoolean(share)) {
                happenings.add(new Cancelled(randomInstant(asked, start, 0.1, 0.9), lease));
            }
        }

        private Instant randomInstant(Instant first, Instant last, double least, double greatest) {
            return randomInstant(draw, first, last, least, greatest);
        }

        private static Instant randomInstant(
                WorkloadRandom draw, Instant first, Instant last, double least, double greatest) {
            long seconds = Duration.between(first, last).toSeconds();
            long from = (long) (seconds * least);
            return first.plusSeconds(from)
                    .plus(draw.upTo(Duration.ofSeconds((long) (seconds * (greatest - least)))));
        }
    }
}
