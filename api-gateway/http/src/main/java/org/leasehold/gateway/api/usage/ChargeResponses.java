package org.leasehold.gateway.api.usage;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Reason;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.ChargeSums;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Money;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Responses about charges. Decimals are texts: a number in JSON may lose digits. */
public final class ChargeResponses {

    private ChargeResponses() {}

    /**
     * Charges, lease by lease, or sums.
     *
     * @param projects sums by project; left out if these are not requested
     * @param totals of the whole window; left out if no sums are requested
     */
    record ChargePage(
            List<ChargedLease> leases,
            @Nullable String next,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<ChargedProject> projects,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<ChargeTotal> totals) {

        /** Returns a page of sums by lease. */
        static ChargePage ofLeases(ChargeSums sums, Map<LeaseId, LeaseLabel> labels) {
            return new ChargePage(
                    sums.sums().items().stream()
                            .map(
                                    sum -> {
                                        LeaseId lease = Objects.requireNonNull(sum.lease());
                                        return new ChargedLease(
                                                lease.value(),
                                                sum.project().value(),
                                                List.of(),
                                                ChargeTotal.of(sum.totals()),
                                                nameOf(labels.get(lease)));
                                    })
                            .toList(),
                    sums.sums().next(),
                    null,
                    ChargeTotal.of(sums.totals()));
        }

        /** Returns a page of sums by project. */
        static ChargePage ofProjects(ChargeSums sums) {
            return new ChargePage(
                    List.of(),
                    sums.sums().next(),
                    sums.sums().items().stream().map(ChargedProject::of).toList(),
                    ChargeTotal.of(sums.totals()));
        }
    }

    /**
     * The charges of a project in the window.
     *
     * @param leases the number of leases with charges
     */
    record ChargedProject(String projectId, int leases, List<ChargeTotal> totals) {

        private static ChargedProject of(ChargeSums.Sum sum) {
            return new ChargedProject(
                    sum.project().value(), sum.leases(), ChargeTotal.of(sum.totals()));
        }
    }

    /**
     * The charges of a lease in the window.
     *
     * @param lines none in sums
     * @param totals the sums of the rounded lines, by currency
     * @param leaseName as it was known at {@code as_of}
     */
    record ChargedLease(
            @FormerName("lease") UUID leaseId,
            @FormerName("project") String projectId,
            List<ChargeLine> lines,
            List<ChargeTotal> totals,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String leaseName) {

        static ChargedLease of(
                LeaseCharges charges, UnaryOperator<Charge> seen, @Nullable LeaseLabel label) {
            return new ChargedLease(
                    charges.lease().value(),
                    charges.project().value(),
                    charges.charges().stream().map(seen).map(ChargeLine::of).toList(),
                    ChargeResponses.totals(charges.charges()),
                    nameOf(label));
        }
    }

    private static @Nullable String nameOf(@Nullable LeaseLabel label) {
        return label == null ? null : label.name();
    }

    /**
     * A price multiplied by a quantity.
     *
     * @param what usage, premium, credit, fee or reservation_fee
     * @param reason the reason of a premium, or of the credit of one
     * @param start inclusive
     * @param end exclusive; equal to the start for a charge that is paid once
     * @param resourceId the number of the resource; left out for a charge that is paid once
     * @param time active or lost; left out for a charge that is paid once
     * @param unit slot, or a resource class; left out for a charge that is paid once
     * @param hours times the quantity, or 1 for a charge that is paid once
     * @param price of one unit for an hour, or of a charge that is paid once
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ChargeLine(
            @FormerName("reservation") UUID reservationId,
            String kind,
            String what,
            @Nullable String reason,
            String plan,
            @FormerName("from") Instant start,
            @FormerName("until") Instant end,
            @FormerName("resource") @Nullable Long resourceId,
            @Nullable String resourceName,
            @Nullable String resourceKind,
            @Nullable Long quantity,
            @Nullable String unit,
            @Nullable String time,
            String hours,
            String price,
            String amount,
            String currency) {

        static ChargeLine of(Charge charge) {
            Use use = charge.use();
            Reason reason = charge.reason();
            return new ChargeLine(
                    charge.reservation().value(),
                    charge.kind().value(),
                    word(charge.what()),
                    reason == null ? null : reason.toString(),
                    charge.plan(),
                    charge.from(),
                    charge.until(),
                    use == null ? null : use.resource().value(),
                    use == null ? null : use.name(),
                    use == null ? null : use.kind().value(),
                    use == null ? null : use.quantity(),
                    use == null ? null : use.unit(),
                    use == null ? null : word(use.time()),
                    charge.hours().toPlainString(),
                    charge.price().toPlainString(),
                    charge.amount().amount().toPlainString(),
                    charge.currency().getCurrencyCode());
        }

        private static String word(Enum<?> value) {
            return value.name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The charges of a lease if it were requested now.
     *
     * @param accepted whether the calendar could hold it
     * @param lines its charges; none when it is not accepted
     * @param shortages why it is not accepted; none when it is
     */
    record Quote(
            boolean accepted,
            List<ChargeLine> lines,
            List<ChargeTotal> totals,
            List<Problem.Shortfall> shortages) {}

    /** A sum in one currency. */
    record ChargeTotal(String amount, String currency) {

        private static List<ChargeTotal> of(Collection<Money> sums) {
            return sums.stream()
                    .map(
                            sum ->
                                    new ChargeTotal(
                                            sum.amount().toPlainString(),
                                            sum.currency().getCurrencyCode()))
                    .toList();
        }
    }

    static List<ChargeTotal> totals(List<Charge> charges) {
        Map<Currency, Money> sums = new TreeMap<>(Comparator.comparing(Currency::getCurrencyCode));
        charges.forEach(charge -> sums.merge(charge.currency(), charge.amount(), Money::plus));
        return ChargeTotal.of(sums.values());
    }
}
