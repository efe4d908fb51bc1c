package org.leasehold.query.rating;

import static org.leasehold.query.account.LeaseScenario.minute;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.Charge.What;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Charges of leases, and the table of FOCUS that an export of them writes. */
abstract class FocusCsvFixture {

    private static final ProjectId PROJECT = new ProjectId("astronomy");
    static final Currency EUR = Currency.getInstance("EUR");
    static final Instant END = minute(RandomChargesTest.END);

    /** Charges with two leases a page. */
    private record PagedCharges(List<LeaseCharges> leases) implements Charges {

        @Override
        public boolean hasPlans() {
            return true;
        }

        @Override
        public List<ApplicablePlan> plansFrom(Instant instant) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Page<LeaseCharges> page(ListCharges question) {
            String marker = question.marker();
            int at = marker == null ? 0 : Integer.parseInt(marker);
            int end = Math.min(at + 2, leases.size());
            return new Page<>(
                    leases.subList(at, end), end == leases.size() ? null : Integer.toString(end));
        }

        @Override
        public List<Charge> quote(List<? extends LeaseEvent> promise, Instant now) {
            throw new UnsupportedOperationException();
        }
    }

    static String csv(List<LeaseCharges> leases, UnaryOperator<Charge> seen) {
        var question = new ListCharges(null, minute(0), END, END, null, null, 2);
        StringBuilder csv = new StringBuilder();
        try {
            new FocusCsvExport(new PagedCharges(leases)).write(question, "cloud-1", seen, csv);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return csv.toString();
    }

    static ParsedFocusCsv sheet(List<LeaseCharges> leases) {
        return sheet(leases, UnaryOperator.identity());
    }

    static ParsedFocusCsv sheet(List<LeaseCharges> leases, UnaryOperator<Charge> seen) {
        return ParsedFocusCsv.of(csv(leases, seen));
    }

    static LeaseCharges lease(long number, List<Charge> charges) {
        return new LeaseCharges(new LeaseId(new UUID(1, number)), PROJECT, charges);
    }

    static Charge usage(String name, String plan, Instant from, Instant until) {
        return new Charge(
                LeaseScenario.R,
                ResourceKind.PHYSICAL_HOST,
                new Use(
                        new ResourceId(7),
                        name,
                        ResourceKind.PHYSICAL_HOST,
                        1,
                        Use.SLOT,
                        Time.ACTIVE),
                What.USAGE,
                null,
                plan,
                from,
                until,
                new BigDecimal("1.20"),
                EUR);
    }
}
