package org.leasehold.query.rating;

import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.EndCause;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.ChargeSums;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.readmodel.usage.Money;
import org.leasehold.vocabulary.ProjectId;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/** Random leases of some projects, and sums of their lines that need rounding. */
final class ChargeSumsFixture {

    /** Prices whose lines are never whole cents. */
    static final PricePlans PLANS =
            PricePlans.of(
                    """
                    {"plans": [{"name": "odd", "from": "2030-01-01T00:00:00Z", "currency": "EUR",
                        "rates": [{"kind": "physical:host", "price": "0.3337",
                                   "tiers": [{"from_hours": 1, "price": "0.2221"}],
                                   "premiums": [{"slots": 2, "percent": 17}],
                                   "fee": "0.011", "reservation_fee": "0.013",
                                   "credit_percent": 41}]}]}
                    """);

    private static final List<String> PROJECTS = List.of("astronomy", "biology", "chemistry");
    private static final int LEASES = 12;

    private ChargeSumsFixture() {}

    static void live(BookingEventLog journal, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int host = 11; host <= 14; host++) {
            journal.enrol(host, "physical:host");
        }
        for (int number = 1; number <= LEASES; number++) {
            int start = random.nextInt(300);
            int end = start + 1 + random.nextInt(400);
            String project = PROJECTS.get(random.nextInt(PROJECTS.size()));
            if (random.nextBoolean()) {
                journal.book(number, project, window(start, end), host(11), host(12));
            } else {
                journal.book(number, project, window(start, end), host(13));
            }
            if (random.nextInt(4) > 0) {
                journal.start(start + random.nextInt(3), number);
            }
            if (random.nextBoolean()) {
                journal.end(start + 3 + random.nextInt(200), number, EndCause.REQUESTED);
            }
        }
        journal.follow();
    }

    static List<ListCharges> questions(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ListCharges> questions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int from = random.nextInt(200);
            ProjectId project = i == 3 ? new ProjectId("biology") : null;
            questions.add(
                    new ListCharges(
                            project,
                            minute(from).plusMillis(random.nextInt(60_000)),
                            minute(from + 1 + random.nextInt(600)),
                            minute(900),
                            null,
                            null,
                            1000));
        }
        return questions;
    }

    /** Returns the lines of all pages. */
    static List<LeaseCharges> lines(Charges charges, ListCharges question) {
        List<LeaseCharges> lines = new ArrayList<>();
        ListCharges rest = question;
        while (rest != null) {
            Page<LeaseCharges> page = charges.page(rest);
            lines.addAll(page.items());
            String next = page.next();
            rest = next == null ? null : rest.after(next);
        }
        return lines;
    }

    static Map<String, BigDecimal> expected(
            List<LeaseCharges> lines, Function<LeaseCharges, Object> key) {
        Map<String, BigDecimal> sums = new TreeMap<>();
        for (LeaseCharges lease : lines) {
            for (Charge charge : lease.charges()) {
                sums.merge(key.apply(lease).toString(), charge.amount().amount(), BigDecimal::add);
            }
        }
        return sums;
    }

    static Map<String, BigDecimal> sums(ChargeSums found) {
        Map<String, BigDecimal> sums = new TreeMap<>();
        for (ChargeSums.Sum sum : found.sums().items()) {
            for (Money money : sum.totals()) {
                @Nullable Object lease = sum.lease();
                sums.put((lease == null ? sum.project() : lease).toString(), money.amount());
            }
        }
        return sums;
    }
}
