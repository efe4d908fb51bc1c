package org.leasehold.demo;

import org.leasehold.demo.Happening.Down;
import org.leasehold.demo.Happening.Enrolled;
import org.leasehold.demo.Happening.Labelled;
import org.leasehold.demo.Happening.PutBack;
import org.leasehold.demo.Happening.Retired;
import org.leasehold.demo.Happening.TakenOut;
import org.leasehold.demo.Happening.Up;
import org.leasehold.inventory.ResourceKind;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Events of the fleet: it grows in steps; hosts fail, get patches and upgrades, and retire. */
final class Operations {

    private static final Duration YEAR = Duration.ofDays(365);

    /** The number of hosts at first, after a third, and after two thirds of a year. */
    private static final List<Integer> STEPS = List.of(140, 170, Fleet.HOSTS);

    private static final double OUTAGES_OF_A_HOST_A_DAY = 1.2 / 365;
    private static final int MAINTAINED_AT_ONCE = 8;
    private static final int LAST_DAY_OF_PATCHES = 7;
    private static final Duration RETIRES_AFTER = Duration.ofDays(40);
    private static final List<Integer> OLD = List.of(3, 11, 19, 27, 35, 43);
    private static final List<Integer> BETTERED = List.of(2, 10, 16, 22, 28, 38, 40, 46);

    private final Draw draw;
    private final Instant from;
    private final Instant until;
    private final List<Happening> happenings = new ArrayList<>();

    private Operations(Draw draw, Instant from, Instant until) {
        this.draw = draw;
        this.from = from;
        this.until = until;
    }

    static List<Happening> of(Draw draw, Instant from, Instant until) {
        Operations operations = new Operations(draw, from, until);
        operations.enrol();
        operations.outages();
        operations.maintenance();
        operations.better();
        operations.retire();
        return operations.happenings;
    }

    private Instant after(double shareOfAYear) {
        return from.plusSeconds((long) (YEAR.toSeconds() * shareOfAYear));
    }

    /** Adds an event, unless it comes after the end. */
    private void add(Happening happening) {
        if (happening.at().isBefore(until)) {
            happenings.add(happening);
        }
    }

    private Instant enrolled(int host) {
        int step = 0;
        while (host > STEPS.get(step)) {
            step++;
        }
        return after((double) step / STEPS.size()).plusSeconds(host);
    }

    private void enrol() {
        int others = 0;
        for (Fleet.Piece piece : new Fleet().pieces().values()) {
            if (!piece.kind().equals(ResourceKind.PHYSICAL_HOST)) {
                others++;
                happenings.add(new Enrolled(from.plusSeconds(Fleet.HOSTS + others), piece.name()));
            }
        }
        for (int host = 1; host <= Fleet.HOSTS; host++) {
            add(new Enrolled(enrolled(host), Fleet.host(host)));
        }
    }

    /** Adds outages of some hours at any time; all end before the last day does. */
    private void outages() {
        for (int host = 1; host <= Fleet.HOSTS; host++) {
            Instant first = enrolled(host).plus(Duration.ofHours(1));
            if (!first.isBefore(until)) {
                break;
            }
            double days = Duration.between(first, until).toHours() / 24.0;
            int times = draw.poisson(days * OUTAGES_OF_A_HOST_A_DAY);
            for (int n = 0; n < times; n++) {
                Instant down = first.plus(draw.upTo(Duration.between(first, until)));
                Instant up = down.plus(Duration.ofMinutes(draw.spread(10, 720)));
                if (up.isBefore(until.minus(Demand.CALM))) {
                    happenings.add(new Down(down, Fleet.host(host)));
                    happenings.add(new Up(up, Fleet.host(host)));
                }
            }
        }
    }

    /** Patches some hosts on a Tuesday in the first week of each month: no lease gets them. */
    private void maintenance() {
        ZonedDateTime day = from.atZone(Season.ZONE).with(LocalTime.of(8, 0));
        int next = 1;
        while (day.toInstant().isBefore(until.minus(Duration.ofDays(1)))) {
            if (day.getDayOfMonth() <= LAST_DAY_OF_PATCHES && day.getDayOfWeek().getValue() == 2) {
                for (int n = 0; n < MAINTAINED_AT_ONCE; n++) {
                    String host = Fleet.host(next + n);
                    happenings.add(new TakenOut(day.toInstant().plusSeconds(n), host, "patches"));
                    happenings.add(new PutBack(day.plusHours(6).toInstant().plusSeconds(n), host));
                }
                next += MAINTAINED_AT_ONCE;
            }
            day = day.plusDays(1);
        }
    }

    private void better() {
        for (int host : BETTERED) {
            add(new Labelled(after(0.5).plusSeconds(host), Fleet.host(host), Map.of("ssd", "yes")));
        }
    }

    /** Takes old hosts out of service, and retires them when no lease has them. */
    private void retire() {
        Instant decided = after(0.7);
        Instant gone = decided.plus(RETIRES_AFTER);
        if (gone.isBefore(until)) {
            for (int host : OLD) {
                happenings.add(
                        new TakenOut(
                                decided.plusSeconds(host), Fleet.host(host), "out of warranty"));
                happenings.add(new Retired(gone.plusSeconds(host), Fleet.host(host)));
            }
        }
    }
}
