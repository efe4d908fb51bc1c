package org.leasehold.demo;

import org.leasehold.demo.Happening.Asked;
import org.leasehold.demo.Happening.Cancelled;
import org.leasehold.demo.Happening.GivenBack;
import org.leasehold.demo.Happening.Mended;
import org.leasehold.demo.Happening.NoShow;
import org.leasehold.demo.Happening.Prolonged;
import org.leasehold.demo.Happening.Seen;
import org.leasehold.demo.Happening.Trouble;
import org.leasehold.lease.LeaseId;

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
record Demand(Instant from, Instant until, List<Happening> happenings) {

    /** The time between the end of the last lease and the end of all days. */
    static final Duration CALM = Duration.ofHours(1);

    Demand {
        happenings = List.copyOf(happenings);
    }

    /**
     * Draws a demand.
     *
     * @param until the end, a full hour
     */
    static Demand of(long seed, Instant until, int days) {
        Instant from = until.minus(Duration.ofDays(days));
        Draw draw = Draw.of(seed);
        List<Happening> happenings = new ArrayList<>(Operations.of(draw.split(), from, until));
        // A separate source: the use of leases must not change the requests.
        Draw working = Draw.of(Long.reverse(seed));
        Season season = new Season(from);
        for (Project project : Project.ALL) {
            new Asking(draw.split(), working.split(), project, season, until, happenings)
                    .everyHour(from);
        }
        // Sorting is stable, so it preserves the order of simultaneous events.
        happenings.sort(Comparator.comparing(Happening::at));
        return new Demand(from, until, happenings);
    }

    /** The requests of one project, and their later changes. */
    private record Asking(
            Draw draw,
            Draw working,
            Project project,
            Season season,
            Instant until,
            List<Happening> happenings) {

        private static final Duration HOUR = Duration.ofHours(1);
        private static final Duration NIGHT = Duration.ofHours(10);
        private static final LocalTime EVENING = LocalTime.of(20, 0);
        private static final int MOST_DAYS_AHEAD = 20;
        private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(5);
        private static final int MOST_SERVERS = 4;

        /** A lease about to be requested. */
        private record Plan(Instant start, Duration length, List<Wish> wishes) {}

        void everyHour(Instant from) {
            for (Instant hour = from; hour.isBefore(until); hour = hour.plus(HOUR)) {
                int leases = draw.poisson(season.leasesAnHour(project.temperament(), hour));
                for (int n = 0; n < leases; n++) {
                    ask(hour.plus(draw.upTo(HOUR.minusMinutes(1))));
                }
            }
        }

        private void ask(Instant asked) {
            Plan plan =
                    switch (project.temperament()) {
                        case RESEARCH -> research(asked);
                        case TEACHING -> teaching(asked);
                        case BATCH -> batch(asked);
                        case SPONTANEOUS -> spontaneous(asked);
                    };
            Instant start = plan.start();
            Instant end = noLater(start.plus(plan.length()));
            LeaseId lease = new LeaseId(draw.uuid());
            String name = project.id() + "-" + draw.between(1, 99_999);
            String user = draw.of(project.users());
            Trouble trouble = trouble();
            if (end.isBefore(start.plus(HOUR))) {
                return;
            }
            happenings.add(
                    new Asked(
                            asked, lease, project, user, name, start, end, plan.wishes(), trouble));
            if (trouble == Trouble.BROKEN) {
                happenings.add(new Mended(later(asked, start).plus(HOUR.dividedBy(2)), lease));
            }
            boolean somebodyComes = goOn(lease, later(asked, start), end, asked);
            if (plan.wishes().getFirst() instanceof Wish.Hosts) {
                happenings.add(new Seen(later(asked, start).plus(BETWEEN_LOOKS), lease, 0));
                if (somebodyComes) {
                    work(lease, later(asked, start), end);
                }
            }
        }

        /** Adds observed use. Most users begin soon; some finish long before the end. */
        private void work(LeaseId lease, Instant start, Instant end) {
            if (working.in(0.05)) {
                return;
            }
            Instant begun = within(working, start, end, 0.05, 0.2).plus(BETWEEN_LOOKS);
            happenings.add(new Seen(begun, lease, working.between(1, MOST_SERVERS)));
            if (working.in(0.25)) {
                happenings.add(new Seen(within(working, start, end, 0.6, 0.9), lease, 0));
            }
        }

        private static Instant later(Instant one, Instant other) {
            return one.isAfter(other) ? one : other;
        }

        private Instant noLater(Instant end) {
            Instant last = until.minus(CALM);
            return end.isAfter(last) ? last : end;
        }

        private Trouble trouble() {
            if (draw.in(0.015)) {
                return Trouble.SLOW;
            }
            return draw.in(0.005) ? Trouble.BROKEN : Trouble.NONE;
        }

        private Plan research(Instant asked) {
            Instant start =
                    draw.in(0.5) ? now(asked) : fullHour(asked.plus(hours(draw.spread(1, 72))));
            String taste = taste(0.11);
            // Rare hosts are requested one by one.
            int least = taste.isEmpty() ? draw.between(1, 3) : 1;
            Wish hosts = new Wish.Hosts(least, least + draw.between(0, 1), taste);
            return new Plan(
                    start,
                    hours(draw.spread(6, 144)),
                    draw.in(0.1)
                            ? List.of(hosts, new Wish.FloatingIps(draw.between(1, 2)))
                            : List.of(hosts));
        }

        private Plan teaching(Instant asked) {
            ZonedDateTime day =
                    asked.atZone(Season.ZONE).plusDays(draw.between(2, MOST_DAYS_AHEAD));
            while (Season.isFree(day.toLocalDate())) {
                day = day.plusDays(1);
            }
            int block = draw.of(List.of(8, 10, 12, 14, 16));
            Wish machines =
                    draw.in(0.6)
                            ? new Wish.Instances(
                                    draw.of(List.of(2, 4)), 4096, 20, draw.between(10, 30))
                            : new Wish.Hosts(4, draw.between(4, 12), "");
            return new Plan(
                    day.with(LocalTime.of(block, 0)).toInstant(),
                    hours(draw.in(0.7) ? 2 : 4),
                    draw.in(0.3) ? List.of(machines, new Wish.FloatingIps(1)) : List.of(machines));
        }

        private Plan batch(Instant asked) {
            LocalDate day = asked.atZone(Season.ZONE).toLocalDate();
            Wish hosts = new Wish.Hosts(draw.between(2, 6), draw.between(6, 12), "");
            return new Plan(
                    day.atTime(EVENING).atZone(Season.ZONE).toInstant(),
                    NIGHT.plus(hours(draw.between(0, 2))),
                    draw.in(0.3)
                            ? List.of(
                                    hosts,
                                    new Wish.Volume(
                                            draw.of(List.of("gold", "silver")),
                                            draw.spread(20, 300)))
                            : List.of(hosts));
        }

        private Plan spontaneous(Instant asked) {
            Wish machines =
                    draw.in(0.25)
                            ? new Wish.Instances(
                                    draw.of(List.of(1, 2, 4, 8)), 8192, 40, draw.between(1, 4))
                            : new Wish.Hosts(1, 1, taste(0.25));
            return new Plan(
                    now(asked),
                    hours(draw.between(1, 6)),
                    draw.in(0.15) ? List.of(machines, new Wish.FloatingIps(1)) : List.of(machines));
        }

        /** Returns the filter of hosts. */
        private String taste(double gpu) {
            if (draw.in(gpu)) {
                return draw.in(0.85)
                        ? "[\"==\", \"$gpu\", \"V100\"]"
                        : "[\"==\", \"$gpu\", \"A100\"]";
            }
            if (draw.in(0.15)) {
                return "[\"==\", \"$ssd\", \"yes\"]";
            }
            return draw.in(0.1) ? "[\">=\", \"$vcpus\", \"32\"]" : "";
        }

        private static Duration hours(int hours) {
            return Duration.ofHours(hours);
        }

        /** Returns the current minute, which is <em>now</em> for clients. */
        private static Instant now(Instant asked) {
            return asked.truncatedTo(ChronoUnit.MINUTES);
        }

        private static Instant fullHour(Instant instant) {
            return instant.truncatedTo(ChronoUnit.HOURS);
        }

        /** Adds later changes; returns false if no user comes. */
        private boolean goOn(LeaseId lease, Instant start, Instant end, Instant asked) {
            boolean somebodyComes = true;
            switch (project.temperament()) {
                case RESEARCH -> {
                    if (draw.in(0.2)) {
                        Instant longer = noLater(end.plus(hours(draw.spread(12, 48))));
                        happenings.add(new Prolonged(within(start, end, 0.6, 0.95), lease, longer));
                    } else if (draw.in(0.15)) {
                        happenings.add(new GivenBack(within(start, end, 0.5, 0.95), lease));
                    }
                    cancel(lease, asked, start, 0.06);
                }
                case TEACHING -> {
                    if (draw.in(0.06)) {
                        somebodyComes = false;
                        happenings.add(new NoShow(within(start, end, 0.4, 0.5), lease));
                    }
                    cancel(lease, asked, start, 0.08);
                }
                case BATCH -> {
                    if (draw.in(0.5)) {
                        happenings.add(new GivenBack(within(start, end, 0.6, 0.98), lease));
                    }
                }
                case SPONTANEOUS -> {
                    if (draw.in(0.3)) {
                        happenings.add(new GivenBack(within(start, end, 0.3, 0.9), lease));
                    }
                }
            }
            return somebodyComes;
        }

        private void cancel(LeaseId lease, Instant asked, Instant start, double share) {
            if (start.isAfter(asked.plus(HOUR)) && draw.in(share)) {
                happenings.add(new Cancelled(within(asked, start, 0.1, 0.9), lease));
            }
        }

        private Instant within(Instant first, Instant last, double least, double most) {
            return within(draw, first, last, least, most);
        }

        private static Instant within(
                Draw draw, Instant first, Instant last, double least, double most) {
            long seconds = Duration.between(first, last).toSeconds();
            long from = (long) (seconds * least);
            return first.plusSeconds(from)
                    .plus(draw.upTo(Duration.ofSeconds((long) (seconds * (most - least)))));
        }
    }
}
