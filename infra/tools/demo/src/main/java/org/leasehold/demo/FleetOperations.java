package org.leasehold.demo;

import org.leasehold.demo.WorkloadStep.Down;
import org.leasehold.demo.WorkloadStep.Enrolled;
import org.leasehold.demo.WorkloadStep.Labelled;
import org.leasehold.demo.WorkloadStep.PutBack;
import org.leasehold.demo.WorkloadStep.Retired;
import org.leasehold.demo.WorkloadStep.TakenOut;
import org.leasehold.demo.WorkloadStep.Up;
import org.leasehold.inventory.ResourceKind;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Events of the fleet: it grows in steps; hosts fail, get patches and upgrades, and retire. */
final class FleetOperations {

    private static final Duration YEAR = Duration.ofDays(365);

    /** The number of hosts at first, after a third, and after two thirds of a year. */
    private static final List<Integer> HOSTS_BY_STEP = List.of(140, 170, Fleet.HOSTS);

    private static final double OUTAGES_PER_HOST_AND_DAY = 1.2 / 365;
    private static final int MAINTENANCE_BATCH_SIZE = 8;
    private static final int LAST_DAY_OF_PATCHES = 7;
    private static final Duration RETIREMENT_DELAY = Duration.ofDays(40);
    private static final List<Integer> RETIRED_HOSTS = List.of(3, 11, 19, 27, 35, 43);
    private static final List<Integer> UPGRADED_HOSTS = List.of(2, 10, 16, 22, 28, 38, 40, 46);

    private final WorkloadRandom random;
    private final Instant from;
    private final Instant until;
    private final List<WorkloadStep> steps = new ArrayList<>();

    private FleetOperations(WorkloadRandom draw, Instant from, Instant until) {
        this.random = draw;
        this.from = from;
        this.until = until;
    }

    static List<WorkloadStep> of(WorkloadRandom draw, Instant from, Instant until) {
        FleetOperations operations = new FleetOperations(draw, from, until);
        operations.addEnrolments();
        operations.addOutages();
        operations.addMaintenance();
        operations.addUpgrades();
        operations.addRetirements();
        return operations.steps;
    }

    private Instant instantAfter(double shareOfAYear) {
        return from.plusSeconds((long) (YEAR.toSeconds() * shareOfAYear));
    }

    /** Adds an event, unless it comes after the end. */
    private void add(WorkloadStep happening) {
        if (happening.at().isBefore(until)) {
            steps.add(happening);
        }
    }

    private Instant enrolmentTime(int host) {
        int step = 0;
        while (host > HOSTS_BY_STEP.get(step)) {
            step++;
        }
        return instantAfter((double) step / HOSTS_BY_STEP.size()).plusSeconds(host);
    }

    private void addEnrolments() {
        int others = 0;
        for (Fleet.Piece piece : new Fleet().resourcesByName().values()) {
            if (!piece.kind().equals(ResourceKind.PHYSICAL_HOST)) {
                others++;
                steps.add(new Enrolled(from.plusSeconds(Fleet.HOSTS + others), piece.name()));
            }
        }
        for (int host = 1; host <= Fleet.HOSTS; host++) {
            add(new Enrolled(enrolmentTime(host), Fleet.hostName(host)));
        }
    }

    /** Adds outages of some hours at any time; all end before the last day does. */
    private void addOutages() {
        for (int host = 1; host <= Fleet.HOSTS; host++) {
            Instant first = enrolmentTime(host).plus(Duration.ofHours(1));
            if (!first.isBefore(until)) {
                break;
            }
            double days = Duration.between(first, until).toHours() / 24.0;
            int times = random.poisson(days * OUTAGES_PER_HOST_AND_DAY);
            for (int n = 0; n < times; n++) {
                Instant down = first.plus(random.upTo(Duration.between(first, until)));
                Instant up = down.plus(Duration.ofMinutes(random.drawLogUniform(10, 720)));
                if (up.isBefore(until.minus(Workload.QUIET_PERIOD))) {
                    steps.add(new Down(down, Fleet.hostName(host)));
                    steps.add(new Up(up, Fleet.hostName(host)));
                }
            }
        }
    }

    /** Patches some hosts on a Tuesday in the first week of each month: no lease gets them. */
    private void addMaintenance() {
        ZonedDateTime day = from.atZone(SeasonalRequestRates.ZONE).with(LocalTime.of(8, 0));
        int next = 1;
        while (day.toInstant().isBefore(until.minus(Duration.ofDays(1)))) {
            if (day.getDayOfMonth() <= LAST_DAY_OF_PATCHES && day.getDayOfWeek().getValue() == 2) {
                for (int n = 0; n < MAINTENANCE_BATCH_SIZE; n++) {
                    String host = Fleet.hostName(next + n);
                    steps.add(new TakenOut(day.toInstant().plusSeconds(n), host, "patches"));
                    steps.add(new PutBack(day.plusHours(6).toInstant().plusSeconds(n), host));
                }
                next += MAINTENANCE_BATCH_SIZE;
            }
            day = day.plusDays(1);
        }
    }

    private void addUpgrades() {
        for (int host : UPGRADED_HOSTS) {
            add(
                    new Labelled(
                            instantAfter(0.5).plusSeconds(host),
                            Fleet.hostName(host),
                            Map.of("ssd", "yes")));
        }
    }

    /** Takes old hosts out of service, and retires them when no lease has them. */
    private void addRetirements() {
        Instant decided = instantAfter(0.7);
        Instant gone = decided.plus(RETIREMENT_DELAY);
        if (gone.isBefore(until)) {
            for (int host : RETIRED_HOSTS) {
                steps.add(
                        new TakenOut(
                                decided.plusSeconds(host),
                                Fleet.hostName(host),
                                "out of warranty"));
                steps.add(new Retired(gone.plusSeconds(host), Fleet.hostName(host)));
            }
        }
    }
}
