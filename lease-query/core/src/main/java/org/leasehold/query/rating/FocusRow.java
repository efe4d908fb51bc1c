package org.leasehold.query.rating;

import static org.leasehold.query.rating.FocusColumn.BILLED_COST;
import static org.leasehold.query.rating.FocusColumn.BILLING_ACCOUNT_ID;
import static org.leasehold.query.rating.FocusColumn.BILLING_ACCOUNT_NAME;
import static org.leasehold.query.rating.FocusColumn.BILLING_ACCOUNT_TYPE;
import static org.leasehold.query.rating.FocusColumn.BILLING_CURRENCY;
import static org.leasehold.query.rating.FocusColumn.BILLING_PERIOD_END;
import static org.leasehold.query.rating.FocusColumn.BILLING_PERIOD_START;
import static org.leasehold.query.rating.FocusColumn.CAPACITY_RESERVATION_ID;
import static org.leasehold.query.rating.FocusColumn.CAPACITY_RESERVATION_STATUS;
import static org.leasehold.query.rating.FocusColumn.CHARGE_CATEGORY;
import static org.leasehold.query.rating.FocusColumn.CHARGE_DESCRIPTION;
import static org.leasehold.query.rating.FocusColumn.CHARGE_FREQUENCY;
import static org.leasehold.query.rating.FocusColumn.CHARGE_PERIOD_END;
import static org.leasehold.query.rating.FocusColumn.CHARGE_PERIOD_START;
import static org.leasehold.query.rating.FocusColumn.CONSUMED_QUANTITY;
import static org.leasehold.query.rating.FocusColumn.CONSUMED_UNIT;
import static org.leasehold.query.rating.FocusColumn.CONTRACTED_COST;
import static org.leasehold.query.rating.FocusColumn.CONTRACTED_UNIT_PRICE;
import static org.leasehold.query.rating.FocusColumn.EFFECTIVE_COST;
import static org.leasehold.query.rating.FocusColumn.INVOICE_ISSUER_NAME;
import static org.leasehold.query.rating.FocusColumn.LIST_COST;
import static org.leasehold.query.rating.FocusColumn.LIST_UNIT_PRICE;
import static org.leasehold.query.rating.FocusColumn.PRICING_CATEGORY;
import static org.leasehold.query.rating.FocusColumn.PRICING_CURRENCY;
import static org.leasehold.query.rating.FocusColumn.PRICING_CURRENCY_CONTRACTED_UNIT_PRICE;
import static org.leasehold.query.rating.FocusColumn.PRICING_CURRENCY_EFFECTIVE_COST;
import static org.leasehold.query.rating.FocusColumn.PRICING_CURRENCY_LIST_UNIT_PRICE;
import static org.leasehold.query.rating.FocusColumn.PRICING_QUANTITY;
import static org.leasehold.query.rating.FocusColumn.PRICING_UNIT;
import static org.leasehold.query.rating.FocusColumn.PROVIDER_NAME;
import static org.leasehold.query.rating.FocusColumn.PUBLISHER_NAME;
import static org.leasehold.query.rating.FocusColumn.RESOURCE_ID;
import static org.leasehold.query.rating.FocusColumn.RESOURCE_NAME;
import static org.leasehold.query.rating.FocusColumn.RESOURCE_TYPE;
import static org.leasehold.query.rating.FocusColumn.SERVICE_CATEGORY;
import static org.leasehold.query.rating.FocusColumn.SERVICE_NAME;
import static org.leasehold.query.rating.FocusColumn.SERVICE_SUBCATEGORY;
import static org.leasehold.query.rating.FocusColumn.SKU_ID;
import static org.leasehold.query.rating.FocusColumn.SKU_METER;
import static org.leasehold.query.rating.FocusColumn.SKU_PRICE_ID;
import static org.leasehold.query.rating.FocusColumn.SUB_ACCOUNT_ID;
import static org.leasehold.query.rating.FocusColumn.SUB_ACCOUNT_NAME;
import static org.leasehold.query.rating.FocusColumn.SUB_ACCOUNT_TYPE;
import static org.leasehold.query.rating.FocusColumn.TAGS;
import static org.leasehold.query.rating.FocusColumn.X_LEASE_ID;

import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.Charge.What;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.vocabulary.LeasePeriod;

import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A charge in the terms of FOCUS 1.2: reserved time is usage, of a used or unused capacity
 * reservation. Fees are purchases, and refunds are credits.
 */
final class FocusRow {

    /** A microsecond is some 3 × 10⁻¹⁰ of an hour. */
    private static final int DIGITS = 12;

    /** The characters that begin a spreadsheet's formula, also in their full-width forms. */
    private static final String FORMULA_START_CHARACTERS = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";

    private static final JsonMapper JSON = new JsonMapper();

    private final Map<FocusColumn, String> cells = new EnumMap<>(FocusColumn.class);
    private final LeaseCharges lease;
    private final Charge charge;

    private FocusRow(LeaseCharges lease, Charge charge) {
        this.lease = lease;
        this.charge = charge;
    }

    /**
     * Returns the row of a charge.
     *
     * @param provider the owner of the cloud
     * @return its cells; a missing one is null
     */
    static Map<FocusColumn, String> of(LeaseCharges lease, Charge charge, String provider) {
        FocusRow row = new FocusRow(lease, charge);
        row.addAccounts(provider);
        row.addTime();
        row.addReservation();
        row.addService();
        row.addCosts();
        return row.cells;
    }

    /** Adds the accounts: there is one payer, the cloud's owner, and each project has a part. */
    private void addAccounts(String provider) {
        text(PROVIDER_NAME, provider);
        text(PUBLISHER_NAME, provider);
        text(INVOICE_ISSUER_NAME, provider);
        text(BILLING_ACCOUNT_ID, provider);
        text(BILLING_ACCOUNT_NAME, provider);
        plain(BILLING_ACCOUNT_TYPE, "Cloud");
        text(SUB_ACCOUNT_ID, lease.project().value());
        // Events contain a project's id alone, and its name may not be null.
        text(SUB_ACCOUNT_NAME, lease.project().value());
        plain(SUB_ACCOUNT_TYPE, "Project");
    }

    /** Adds the time in whole seconds, as in FOCUS; the quantity has the exact time. */
    private void addTime() {
        OffsetDateTime month =
                charge.from()
                        .atOffset(ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.DAYS)
                        .withDayOfMonth(1);
        Instant start = charge.from().truncatedTo(ChronoUnit.SECONDS);
        Instant end = charge.until().truncatedTo(ChronoUnit.SECONDS);
        plain(BILLING_PERIOD_START, month.toInstant().toString());
        plain(BILLING_PERIOD_END, format(month.plusMonths(1).toInstant()));
        plain(CHARGE_PERIOD_START, start.toString());
        // A one-off charge, or one of no time, has a second: no period is empty.
        plain(CHARGE_PERIOD_END, format(start.isBefore(end) ? end : start.plusSeconds(1)));
    }

    private static String format(Instant end) {
        return (end.isAfter(LeasePeriod.MAX_TIME) ? LeasePeriod.MAX_TIME : end).toString();
    }

    private void addReservation() {
        Use use = charge.use();
        plain(CAPACITY_RESERVATION_ID, charge.reservation().toString());
        plain(X_LEASE_ID, lease.lease().toString());
        Map<String, String> tags = new TreeMap<>();
        tags.put("leasehold:lease", lease.lease().toString());
        tags.put("leasehold:plan", charge.plan());
        if (charge.reason() != null) {
            tags.put("leasehold:reason", charge.reason().toString());
        }
        plain(TAGS, JSON.writeValueAsString(tags));
        if (use != null) {
            plain(CAPACITY_RESERVATION_STATUS, use.time() == Time.ACTIVE ? "Used" : "Unused");
            // A number alone would not be unique in a cloud, and would look like a quantity.
            text(RESOURCE_ID, use.kind() + "/" + use.resource());
            text(RESOURCE_NAME, use.name());
            text(RESOURCE_TYPE, use.kind().value());
        }
    }

    private void addService() {
        FocusService service = FocusService.of(charge.kind());
        text(SERVICE_NAME, service.name());
        plain(SERVICE_CATEGORY, service.category());
        plain(SERVICE_SUBCATEGORY, service.subcategory());
        text(SKU_ID, sku());
        plain(
                SKU_METER,
                switch (charge.what()) {
                    case USAGE, PREMIUM, CREDIT -> "Reserved Time";
                    case FEE -> "Begun Reservations";
                    case RESERVATION_FEE -> "Promised Reservations";
                });
        text(CHARGE_DESCRIPTION, description());
    }

    /** Returns the id of the priced item, at any price; a credit has that of its charge. */
    private String sku() {
        Use use = charge.use();
        if (use == null) {
            String fee = charge.what() == What.FEE ? "fee/" : "reservation-fee/";
            return fee + charge.kind();
        }
        String thing = "%s/%s/%s".formatted(charge.kind(), use.kind(), use.unit());
        return charge.reason() == null
                ? "usage/" + thing
                : "premium/%s/%s".formatted(thing, charge.reason());
    }

    private String description() {
        Use use = charge.use();
        String thing = use == null ? charge.kind().value() : use.name();
        String given = use == null || use.time() == Time.ACTIVE ? "given" : "not given";
        String reason = charge.reason() == null ? "" : " (%s)".formatted(charge.reason());
        return switch (charge.what()) {
            case USAGE -> "Reserved, %s: %s".formatted(given, thing);
            case PREMIUM -> "Premium%s, %s: %s".formatted(reason, given, thing);
            case CREDIT -> "Credit%s for time that was not given: %s".formatted(reason, thing);
            case FEE -> "Fee for what was begun: " + thing;
            case RESERVATION_FEE -> "Fee for what was promised: " + thing;
        };
    }

    private void addCosts() {
        String currency = charge.currency().getCurrencyCode();
        String amount = charge.amount().amount().toPlainString();
        plain(BILLING_CURRENCY, currency);
        plain(PRICING_CURRENCY, currency);
        plain(BILLED_COST, amount);
        // Nothing is paid in advance for later use.
        plain(EFFECTIVE_COST, amount);
        plain(PRICING_CURRENCY_EFFECTIVE_COST, amount);
        switch (charge.what()) {
            case USAGE, PREMIUM -> {
                plain(CHARGE_CATEGORY, "Usage");
                plain(CHARGE_FREQUENCY, "Usage-Based");
                addPrice(unit());
                plain(CONSUMED_UNIT, unit());
                plain(CONSUMED_QUANTITY, consumedQuantity());
            }
            case FEE, RESERVATION_FEE -> {
                plain(CHARGE_CATEGORY, "Purchase");
                plain(CHARGE_FREQUENCY, "One-Time");
                addPrice("Units");
            }
            case CREDIT -> {
                // A unit price is never negative, so a credit has none.
                plain(CHARGE_CATEGORY, "Credit");
                plain(CHARGE_FREQUENCY, "Usage-Based");
                plain(LIST_COST, amount);
                plain(CONTRACTED_COST, amount);
            }
        }
    }

    /**
     * Adds the price and the quantity. Their product is not rounded, and differs from the billed
     * cost by at most the rounding.
     */
    private void addPrice(String unit) {
        BigDecimal quantity = charge.hours(DIGITS);
        String price = plain(charge.price());
        String cost = plain(charge.price().multiply(quantity));
        plain(PRICING_CATEGORY, "Standard");
        plain(PRICING_QUANTITY, plain(quantity));
        plain(PRICING_UNIT, unit);
        plain(LIST_UNIT_PRICE, price);
        plain(CONTRACTED_UNIT_PRICE, price);
        plain(PRICING_CURRENCY_LIST_UNIT_PRICE, price);
        plain(PRICING_CURRENCY_CONTRACTED_UNIT_PRICE, price);
        plain(LIST_COST, cost);
        plain(CONTRACTED_COST, cost);
        text(SKU_PRICE_ID, "%s/%s/%s/%s".formatted(charge.plan(), sku(), price, charge.currency()));
    }

    /** Returns the quantity, only once and only of given time, so that quantities add up. */
    private String consumedQuantity() {
        Use use = charge.use();
        return charge.what() == What.USAGE && use != null && use.time() == Time.ACTIVE
                ? plain(charge.hours(DIGITS))
                : "0";
    }

    private String unit() {
        Use use = charge.use();
        return switch (use == null ? "" : use.unit()) {
            case Use.SLOT -> "Slot-Hours";
            case "VCPU", "PCPU" -> "Core-Hours";
            case "MEMORY_MB" -> "MiB-Hours";
            case "VOLUME_GB", "DISK_GB" -> "GiB-Hours";
            case String _ -> "Unit-Hours";
        };
    }

    private static String plain(BigDecimal decimal) {
        return decimal.stripTrailingZeros().toPlainString();
    }

    /** Sets a cell with a value of the engine. */
    private void plain(FocusColumn column, String value) {
        cells.put(column, value);
    }

    /** Sets a cell with a text from outside, which a spreadsheet must not run. */
    private void text(FocusColumn column, String value) {
        boolean formula =
                !value.isEmpty() && FORMULA_START_CHARACTERS.indexOf(value.charAt(0)) >= 0;
        cells.put(column, formula ? "'" + value : value);
    }
}
