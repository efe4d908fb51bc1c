package org.leasehold.query.rating;

import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.granted;
import static org.leasehold.query.account.LeaseScenario.minute;
import static org.leasehold.query.account.LeaseScenario.requested;
import static org.leasehold.query.account.LeaseScenario.starting;
import static org.leasehold.query.account.LeaseScenario.window;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.readmodel.usage.Charge;

import java.time.Instant;
import java.util.List;

/** Plans of prices, and the charges of a lease of one host; times are minutes after noon. */
abstract class RatingFixture {

    static PricePlans plans(String... rates) {
        return PricePlans.of(plan("one", "2030-01-01T00:00:00Z", rates));
    }

    static String plan(String name, String from, String... rates) {
        return "{\"plans\": [" + only(name, from, rates) + "]}";
    }

    static String only(String name, String from, String... rates) {
        return "{\"name\": \"%s\", \"from\": \"%s\", \"currency\": \"EUR\", \"rates\": [%s]}"
                .formatted(name, from, String.join(",", rates));
    }

    static String rate(String more) {
        return "{\"kind\": \"physical:host\", \"price\": \"6.00\"" + more + "}";
    }

    static List<Charge> charges(LeaseScenario life, PricePlans plans, long until) {
        return charges(life, plans, Instant.EPOCH, minute(until));
    }

    static List<Charge> charges(LeaseScenario life, PricePlans plans, Instant from, Instant to) {
        return Rating.of(
                ChargeableLease.of(life.recorded(), to),
                _ -> ResourceKind.PHYSICAL_HOST,
                plans,
                from,
                to);
    }

    /** Returns lines such as {@code 1 USAGE 60-300 24.00}; a one-off charge has no resource. */
    static List<String> lines(List<Charge> charges) {
        return charges.stream()
                .map(
                        charge ->
                                "%s%s%s %s-%s %s"
                                        .formatted(
                                                charge.use() == null
                                                        ? ""
                                                        : charge.use().resource() + " ",
                                                charge.what(),
                                                charge.reason() == null
                                                        ? ""
                                                        : " " + charge.reason(),
                                                minute(charge.from()),
                                                minute(charge.until()),
                                                charge.amount().amount()))
                .toList();
    }

    static LeaseScenario oneHost(Allocation host) {
        return new LeaseScenario()
                .at(0, requested(window(60, 300)), granted(window(60, 300), host))
                .at(60, starting(R), new ReservationActivated(LEASE, R));
    }
}
