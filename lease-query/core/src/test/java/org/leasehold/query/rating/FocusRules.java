package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The rules of FOCUS 1.2 for a table of costs and usage, as far as a table shows them. Each rule
 * has its place in the specification: the id in its requirements model. The first is of the
 * dataset, where that requires a column; attributes have an A. The rules are in our own words.
 * Where the model's conditions differ from the specification's text, they follow the text.
 *
 * <p>Left out are rules that no table shows (whether a name is usual, changes from one month to the
 * next, invoices). So are rules about commitment discounts, of which there are none.
 */
final class FocusRules {

    /** Returns the rules that a table breaks. */
    static List<String> broken(ParsedFocusCsv sheet) {
        return ALL.stream()
                .filter(rule -> !rule.holds().test(sheet))
                .map(rule -> rule.section() + ": " + rule.says())
                .toList();
    }

    /**
     * A rule.
     *
     * @param section its place in the specification
     * @param breaks makes a valid table break it
     */
    record Rule(
            String section,
            String says,
            Predicate<ParsedFocusCsv> holds,
            Consumer<ParsedFocusCsv> breaks) {

        @Override
        public String toString() {
            return section + ": " + says;
        }
    }

    /**
     * The type of a value.
     *
     * @param section the format's place in the specification
     * @param wrong an invalid value
     */
    private record Type(String name, String section, Predicate<String> fits, String wrong) {

        static final Type STRING =
                new Type(
                        "String",
                        "StringHandling-A-001-M, A-007-M",
                        value -> !value.isBlank() && isUnicode(value),
                        " ");
        static final Type DECIMAL =
                new Type(
                        "Decimal",
                        "NumericFormat",
                        value -> DECIMAL_VALUE.matcher(value).matches(),
                        "+1,5");
        static final Type DATE_TIME =
                new Type(
                        "Date/Time",
                        "DateTimeFormat-A-001-M to A-003-M",
                        FocusRules::isDateTime,
                        "2030-01-01T12:00:00.5+01:00");
        static final Type KEY_VALUE =
                new Type("JSON", "KeyValueFormat", FocusRules::isKeyValue, "{\"a\": {\"b\": 1}}");
        static final Type CURRENCY =
                new Type("national currency", "CurrencyFormat", FocusRules::isCurrency, "euro");
    }

    private static final Pattern DECIMAL_VALUE = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?");

    private static final Pattern DATE_TIME =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z");

    private static final JsonMapper JSON = new JsonMapper();

    /** The subcategories by category, for the categories of our services. */
    private static final Map<String, Set<String>> SUBCATEGORIES = subcategories();

    /** The columns of FOCUS. */
    private static final Set<String> COLUMNS = new HashSet<>();

    private static final List<Rule> ALL = new ArrayList<>();

    private FocusRules() {}

    static List<Rule> all() {
        return List.copyOf(ALL);
    }

    private static Map<String, Set<String>> subcategories() {
        return Map.of(
                "Compute",
                Set.of(
                        "Containers",
                        "End User Computing",
                        "Quantum Compute",
                        "Serverless Compute",
                        "Virtual Machines",
                        "Other (Compute)"),
                "Networking",
                Set.of(
                        "Application Networking",
                        "Content Delivery",
                        "Network Connectivity",
                        "Network Infrastructure",
                        "Network Routing",
                        "Network Security",
                        "Other (Networking)"),
                "Storage",
                Set.of(
                        "Backup Storage",
                        "Block Storage",
                        "File Storage",
                        "Object Storage",
                        "Storage Platforms",
                        "Other (Storage)"),
                "Other",
                Set.of("Other (Other)"));
    }

    private static boolean isUnicode(String value) {
        return value.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    }

    private static boolean isDateTime(String value) {
        try {
            return DATE_TIME.matcher(value).matches() && Instant.parse(value).isAfter(Instant.MIN);
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isCurrency(String value) {
        try {
            return Currency.getInstance(value).getDefaultFractionDigits() >= 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns whether a value is an object of texts, numbers, booleans and nulls. */
    private static boolean isKeyValue(String value) {
        try {
            JsonNode node = JSON.readTree(value);
            return node.isObject() && node.valueStream().noneMatch(JsonNode::isContainer);
        } catch (JacksonException e) {
            return false;
        }
    }

    // The columns: the rule that requires each, the one of its type, and the one that it is never
    // null. PricingCurrency… and the types of accounts are required only for providers that have
    // several; if present, they must follow their rules.
    static {
        column("AvailabilityZone", "D-003-C", Type.STRING, "C-001-M", null);
        column("BilledCost", "D-006-M", Type.DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("BillingAccountId", "D-024-M", Type.STRING, "C-002-M, C-003-M", "C-001-M");
        column("BillingAccountName", "D-005-M", Type.STRING, "C-001-M, C-002-M", "C-003-C");
        column("BillingAccountType", "D-007-C", Type.STRING, "C-001-M, C-002-M", "C-005-C");
        column("BillingCurrency", "D-035-M", Type.CURRENCY, "C-003-M, C-006-M", "C-004-M");
        column("BillingPeriodEnd", "D-010-M", Type.DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("BillingPeriodStart", "D-009-M", Type.DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("CapacityReservationId", "D-065-C", Type.STRING, "C-001-M, C-002-M", null);
        column("CapacityReservationStatus", "D-020-C", Type.STRING, "C-001-M", null);
        column("ChargeCategory", "D-008-M", Type.STRING, "C-001-M", "C-002-M");
        column("ChargeClass", "D-026-M", Type.STRING, "C-001-M", null);
        column("ChargeDescription", "D-025-M", Type.STRING, "C-001-M, C-002-M", "C-003-O");
        column("ChargeFrequency", "D-027-O", Type.STRING, "C-001-M", "C-002-M");
        column("ChargePeriodEnd", "D-028-M", Type.DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("ChargePeriodStart", "D-037-M", Type.DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("CommitmentDiscountCategory", "D-016-C", Type.STRING, "C-001-M", null);
        column("CommitmentDiscountId", "D-013-C", Type.STRING, "C-001-M, C-002-M", null);
        column("CommitmentDiscountName", "D-012-C", Type.STRING, "C-001-M, C-002-M", null);
        column("CommitmentDiscountQuantity", "D-018-C", Type.DECIMAL, "C-001-M, C-002-M", null);
        column("CommitmentDiscountStatus", "D-017-C", Type.STRING, "C-001-M", null);
        column("CommitmentDiscountType", "D-014-C", Type.STRING, "C-001-M, C-002-M", null);
        column("CommitmentDiscountUnit", "D-015-C", Type.STRING, "C-001-M, C-002-M", null);
        column("ConsumedQuantity", "D-011-C", Type.DECIMAL, "C-001-M, C-002-M, C-008-C", null);
        column("ConsumedUnit", "D-066-C", Type.STRING, "C-001-M, C-002-M", null);
        column("ContractedCost", "D-030-M", Type.DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("ContractedUnitPrice", "D-034-C", Type.DECIMAL, "C-002-M, C-003-M", null);
        column("EffectiveCost", "D-031-M", Type.DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("InvoiceId", "D-033-O", Type.STRING, "C-001-M, C-002-M", null);
        column("InvoiceIssuerName", "D-023-M", Type.STRING, "C-001-M, C-002-M", "C-003-M");
        column("ListCost", "D-032-M", Type.DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("ListUnitPrice", "D-004-C", Type.DECIMAL, "C-001-M, C-002-M", null);
        column("PricingCategory", "D-022-C", Type.STRING, "C-001-M", null);
        column("PricingCurrency", "D-045-C", Type.CURRENCY, "C-001-M to C-003-M", "C-004-M");
        column(
                "PricingCurrencyContractedUnitPrice",
                "D-046-C",
                Type.DECIMAL,
                "C-001-M, C-002-M",
                null);
        column(
                "PricingCurrencyEffectiveCost",
                "D-050-C",
                Type.DECIMAL,
                "C-001-M, C-002-M, C-004-M",
                "C-003-M");
        column("PricingCurrencyListUnitPrice", "D-054-C", Type.DECIMAL, "C-001-M, C-002-M", null);
        column("PricingQuantity", "D-036-M", Type.DECIMAL, "C-001-M, C-002-M, C-008-M", null);
        column("PricingUnit", "D-068-M", Type.STRING, "C-001-M, C-002-M", null);
        column("ProviderName", "D-038-M", Type.STRING, "C-001-M, C-002-M", "C-003-M");
        column("PublisherName", "D-021-M", Type.STRING, "C-001-M, C-002-M", "C-003-M");
        column("RegionId", "D-063-C", Type.STRING, "C-001-M, C-002-M", null);
        column("RegionName", "D-062-C", Type.STRING, "C-001-M, C-002-M", null);
        column("ResourceId", "D-043-C", Type.STRING, "C-001-M, C-002-M", null);
        column("ResourceName", "D-044-C", Type.STRING, "C-001-M, C-002-M", null);
        column("ResourceType", "D-039-C", Type.STRING, "C-001-M, C-002-M", null);
        column("ServiceCategory", "D-040-M", Type.STRING, "C-001-M", "C-002-M");
        column("ServiceName", "D-041-M", Type.STRING, "C-001-M, C-002-M", "C-003-M");
        column("ServiceSubcategory", "D-042-O", Type.STRING, "C-001-M", "C-002-M");
        column("SkuId", "D-060-C", Type.STRING, "C-001-M, C-002-M", null);
        column("SkuMeter", "D-059-C", Type.STRING, "C-001-M, C-002-M", null);
        column("SkuPriceDetails", "D-061-C", Type.KEY_VALUE, "C-001-M", null);
        column("SkuPriceId", "D-058-C", Type.STRING, "C-001-M, C-002-M", null);
        column("SubAccountId", "D-019-C", Type.STRING, "C-001-M, C-002-M", null);
        column("SubAccountName", "D-029-C", Type.STRING, "C-001-M, C-002-M", null);
        column("SubAccountType", "D-067-C", Type.STRING, "C-001-M, C-002-M", null);
        column("Tags", "D-064-C", Type.KEY_VALUE, "C-001-M", null);
        columnsInOrder();
    }

    // Allowed values.
    static {
        allowed("CapacityReservationStatus", "C-006-M", "Used", "Unused");
        allowed("ChargeCategory", "C-003-M", "Usage", "Purchase", "Tax", "Credit", "Adjustment");
        allowed("ChargeClass", "C-005-C", "Correction");
        allowed("ChargeFrequency", "C-003-M", "One-Time", "Recurring", "Usage-Based");
        allowed("PricingCategory", "C-007-M", "Standard", "Committed", "Dynamic", "Other");
        allowed(
                "ServiceCategory",
                "C-003-M",
                "AI and Machine Learning",
                "Analytics",
                "Business Applications",
                "Compute",
                "Databases",
                "Developer Tools",
                "Multicloud",
                "Identity",
                "Integration",
                "Internet of Things",
                "Management and Governance",
                "Media",
                "Migration",
                "Mobile",
                "Networking",
                "Security",
                "Storage",
                "Web",
                "Other");
        row(
                "ServiceSubcategory-C-003-M, C-004-M",
                "is one of those of its category",
                row ->
                        SUBCATEGORIES
                                .getOrDefault(row.get("ServiceCategory"), Set.of())
                                .contains(Objects.requireNonNull(row.get("ServiceSubcategory"))),
                row -> row.put("ServiceSubcategory", "Bots"));
    }

    // Null with another, or not null with another.
    static {
        together("BillingAccountType-C-004-C, C-005-C", "BillingAccountId", "BillingAccountType");
        together("ConsumedUnit-C-005-C, C-006-C", "ConsumedQuantity", "ConsumedUnit");
        together("PricingUnit-C-005-C, C-006-C", "PricingQuantity", "PricingUnit");
        together("RegionName-C-004-C, C-005-C", "RegionId", "RegionName");
        together("ResourceName-C-004-C, C-005-C", "ResourceId", "ResourceName");
        together("ResourceType-C-004-C, C-005-C", "ResourceId", "ResourceType");
        together("SkuMeter-C-004-C, C-005-C", "SkuId", "SkuMeter");
        together("SubAccountName-C-004-C, C-005-C", "SubAccountId", "SubAccountName");
        together("SubAccountType-C-004-C, C-005-C", "SubAccountId", "SubAccountType");
        for (String name : List.of("Category", "Name", "Status", "Type", "Quantity", "Unit")) {
            row(
                    "CommitmentDiscount" + name + ": nullability",
                    "is null where there is no commitment discount",
                    row ->
                            row.get("CommitmentDiscountId") != null
                                    || row.get("CommitmentDiscount" + name) == null,
                    row -> row.put("CommitmentDiscount" + name, "1"));
        }
        row(
                "SkuPriceDetails-C-004-C",
                "is null where there is no price of a SKU",
                row -> row.get("SkuPriceId") != null || row.get("SkuPriceDetails") == null,
                row -> {
                    row.remove("SkuPriceId");
                    row.put("SkuPriceDetails", "{}");
                });
    }

    // Columns of usage, purchases and credits.
    static {
        priced("ContractedUnitPrice", "C-006-C");
        priced("ListUnitPrice", "C-005-C");
        priced("PricingCategory", "C-004-C");
        priced("PricingCurrencyContractedUnitPrice", "C-005-C");
        priced("PricingCurrencyListUnitPrice", "C-005-C");
        priced("PricingQuantity", "C-005-C");
        priced("SkuId", "C-005-C");
        priced("SkuPriceId", "C-005-C");
        notNegative("ContractedUnitPrice", "C-009-C");
        notNegative("ListUnitPrice", "C-008-M");
        notNegative("PricingCurrencyContractedUnitPrice", "C-008-C");
        notNegative("PricingCurrencyListUnitPrice", "C-008-M");
        product("ContractedUnitPrice-C-011-C, ContractedCost-C-009-C", "Contracted");
        product("ListUnitPrice-C-010-C, ListCost-C-009-C", "List");
        ofCredits("ContractedCost-C-008-C", "ContractedUnitPrice", "ContractedCost");
        ofCredits("ListCost-C-008-C", "ListUnitPrice", "ListCost");
        ofCredits("EffectiveCost-C-010-C", "ContractedUnitPrice", "EffectiveCost");
        row(
                "EffectiveCost-C-005-C, C-011-C",
                "is what is billed where nothing is paid in advance",
                row ->
                        row.get("CommitmentDiscountId") != null
                                || decimal(row, "EffectiveCost")
                                                .compareTo(decimal(row, "BilledCost"))
                                        == 0,
                row -> row.put("EffectiveCost", "0.77"));
        row(
                "BilledCost-C-005-C",
                "is 0 where a third party is paid",
                row ->
                        Objects.equals(row.get("ProviderName"), row.get("InvoiceIssuerName"))
                                || decimal(row, "BilledCost").signum() == 0,
                row -> {
                    row.put("InvoiceIssuerName", "a marketplace");
                    row.put("BilledCost", "1.00");
                });
        row(
                "ChargeFrequency-C-004-C",
                "is not Usage-Based for purchases",
                row -> !is(row, "Purchase") || !"Usage-Based".equals(row.get("ChargeFrequency")),
                row -> row.put("ChargeFrequency", "Usage-Based"),
                "Purchase");
        row(
                "ConsumedQuantity-C-004-C",
                "is null where nothing is used",
                row -> is(row, "Usage") || row.get("ConsumedQuantity") == null,
                row -> row.put("ConsumedQuantity", "1"),
                "Purchase");
        row(
                "ConsumedQuantity-C-006-C",
                "is not null for usage",
                row -> !is(row, "Usage") || row.get("ConsumedQuantity") != null,
                row -> row.remove("ConsumedQuantity"),
                "Usage");
        row(
                "DiscountHandling-A-020-C",
                "what is given back is a credit",
                row -> is(row, "Credit") || decimal(row, "BilledCost").signum() >= 0,
                row -> {
                    row.put("ChargeCategory", "Adjustment");
                    row.put("BilledCost", "-1.00");
                },
                "Credit");
        row(
                "CapacityReservationStatus-C-003-C",
                "is null where there is no reservation",
                row ->
                        row.get("CapacityReservationId") != null
                                || row.get("CapacityReservationStatus") == null,
                row -> row.remove("CapacityReservationId"),
                "Usage");
        row(
                "CapacityReservationStatus-C-004-C",
                "is not null for usage of a reservation",
                row ->
                        row.get("CapacityReservationId") == null
                                || !is(row, "Usage")
                                || row.get("CapacityReservationStatus") != null,
                row -> row.remove("CapacityReservationStatus"),
                "Usage");
        row(
                "CapacityReservationId-C-005-C",
                "is not null where it was not used",
                row ->
                        !"Unused".equals(row.get("CapacityReservationStatus"))
                                || row.get("CapacityReservationId") != null,
                row -> row.remove("CapacityReservationId"),
                "Credit");
        row(
                "CapacityReservationStatus-C-007-C, C-008-C",
                "is Unused where nothing of it was used",
                row ->
                        !is(row, "Usage")
                                || decimal(row, "ConsumedQuantity").signum() == 0
                                || "Used".equals(row.get("CapacityReservationStatus")),
                row -> {
                    row.put("ConsumedQuantity", "1");
                    row.put("CapacityReservationStatus", "Unused");
                },
                "Usage");
    }

    // Times, and relations between them.
    static {
        row(
                "BillingPeriodStart-C-004-M, BillingPeriodEnd-C-004-M",
                "the first is before the second",
                row -> isBefore(row, "BillingPeriodStart", "BillingPeriodEnd"),
                row -> row.put("BillingPeriodEnd", row.get("BillingPeriodStart")));
        row(
                "ChargePeriodStart-C-004-M, ChargePeriodEnd-C-004-M",
                "the first is before the second",
                row -> isBefore(row, "ChargePeriodStart", "ChargePeriodEnd"),
                row -> row.put("ChargePeriodEnd", row.get("ChargePeriodStart")));
        row(
                "BillingPeriodStart-C-004-M, ChargePeriodStart-C-004-M",
                "a charge is of its billing period",
                row ->
                        !isBefore(row, "ChargePeriodStart", "BillingPeriodStart")
                                && !isBefore(row, "BillingPeriodEnd", "ChargePeriodEnd"),
                row -> row.put("ChargePeriodStart", "2001-01-01T00:00:00Z"));
    }

    // Rules of all rows together.
    static {
        one("SkuPriceId-C-008-M", "SkuPriceId", "SkuId");
        one("SkuPriceId-C-014-C", "SkuPriceId", "ListUnitPrice");
        one("SkuPriceId-C-015-C", "SkuPriceId", "ContractedUnitPrice");
        one("SkuPriceId-C-014-C, ListUnitPrice-C-009-M", "SkuPriceId", "BillingCurrency");
        one("PricingUnit-C-008-M", "SkuPriceId", "PricingUnit");
        one("SkuMeter-C-006-O", "SkuId", "SkuMeter");
        one("ServiceName-C-005-C", "ServiceName", "ServiceCategory");
        one("ServiceName-C-008-C", "ServiceName", "ServiceSubcategory");
        one("BillingAccountId-C-004-M", "BillingAccountId", "BillingAccountName");
        one("CapacityReservationId-C-008-M", "CapacityReservationId", "SubAccountId");
        one("ResourceId-C-007-M", "ResourceId", "ResourceType");
    }

    private static void column(
            String name, String there, Type type, String typed, @Nullable String notNull) {
        COLUMNS.add(name);
        ALL.add(
                new Rule(
                        "CostAndUsage-" + there,
                        name + " is there",
                        sheet -> sheet.columns().contains(name),
                        sheet -> sheet.columns().remove(name)));
        row(
                name + "-" + typed + ", " + type.section(),
                "is a " + type.name(),
                row -> {
                    String value = row.get(name);
                    return value == null || type.fits().test(value);
                },
                row -> row.put(name, type.wrong()));
        if (notNull != null) {
            row(
                    name + "-" + notNull,
                    "is never null",
                    row -> row.get(name) != null,
                    row -> row.remove(name));
        }
    }

    private static void columnsInOrder() {
        ALL.add(
                new Rule(
                        "ColumnHandling-A-001-M, A-003-M, A-010-M",
                        "what is not of FOCUS begins with x_, and is in Pascal case as all is",
                        sheet ->
                                sheet.columns().stream()
                                        .allMatch(
                                                name ->
                                                        name.matches("(x_)?[A-Z][A-Za-z0-9]*")
                                                                && name.startsWith("x_")
                                                                        == !COLUMNS.contains(name)),
                        sheet -> sheet.columns().add("LeaseId")));
        ALL.add(
                new Rule(
                        "ColumnHandling-A-012-O to A-014-O",
                        "what is not of FOCUS comes last, and no name comes twice",
                        sheet ->
                                sheet.columns().stream()
                                                .dropWhile(name -> !name.startsWith("x_"))
                                                .allMatch(name -> name.startsWith("x_"))
                                        && Set.copyOf(sheet.columns()).size()
                                                == sheet.columns().size(),
                        sheet -> sheet.columns().addFirst("x_First")));
    }

    private static void allowed(String column, String section, String... values) {
        row(
                column + "-" + section,
                "is one of " + List.of(values),
                row -> {
                    String value = row.get(column);
                    return value == null || List.of(values).contains(value);
                },
                row -> row.put(column, "Something Else"));
    }

    private static void together(String section, String one, String other) {
        row(
                section,
                "%s is null where %s is, and only there".formatted(other, one),
                row -> (row.get(one) == null) == (row.get(other) == null),
                row -> {
                    if (row.remove(other) == null) {
                        row.put(other, "something");
                    }
                });
    }

    /** Adds the rule that a column is not null for usage and purchases. */
    private static void priced(String column, String section) {
        for (String category : List.of("Usage", "Purchase")) {
            row(
                    column + "-" + section,
                    "is not null for what is a " + category,
                    row -> !is(row, category) || row.get(column) != null,
                    row -> row.remove(column),
                    category);
        }
    }

    private static void notNegative(String column, String section) {
        row(
                column + "-" + section,
                "is never negative",
                row -> row.get(column) == null || decimal(row, column).signum() >= 0,
                row -> row.put(column, "-1"));
    }

    private static void product(String section, String which) {
        row(
                section,
                which + " price times quantity is the cost",
                row ->
                        row.get(which + "UnitPrice") == null
                                || row.get("PricingQuantity") == null
                                || decimal(row, which + "UnitPrice")
                                                .multiply(decimal(row, "PricingQuantity"))
                                                .compareTo(decimal(row, which + "Cost"))
                                        == 0,
                row -> row.put(which + "Cost", "0.000000001"),
                "Purchase");
    }

    private static void ofCredits(String section, String price, String cost) {
        row(
                section,
                cost + " of a credit without a price is what is billed",
                row ->
                        !is(row, "Credit")
                                || row.get(price) != null
                                || decimal(row, cost).compareTo(decimal(row, "BilledCost")) == 0,
                row -> row.put(cost, "-0.77"),
                "Credit");
    }

    /** Adds the rule that each of these has exactly one of the other. */
    private static void one(String section, String of, String other) {
        ALL.add(
                new Rule(
                        section,
                        "each %s has one %s".formatted(of, other),
                        sheet -> {
                            Map<String, String> known = new HashMap<>();
                            Set<String> several = new HashSet<>();
                            for (Map<String, String> row : sheet.rows()) {
                                String key = row.get(of);
                                String value = row.getOrDefault(other, "");
                                // ResourceType of a fee, for example, is null like its ResourceId.
                                if (key != null) {
                                    String before = known.putIfAbsent(key, value);
                                    if (before != null && !before.equals(value)) {
                                        several.add(key);
                                    }
                                }
                            }
                            return several.isEmpty();
                        },
                        sheet -> {
                            Map<String, String> copy = new HashMap<>(sheet.first("Usage"));
                            copy.put(other, "another");
                            sheet.rows().add(copy);
                        }));
    }

    private static void row(
            String section,
            String says,
            Predicate<Map<String, String>> holds,
            Consumer<Map<String, String>> breaks) {
        row(section, says, holds, breaks, "Usage");
    }

    /** Adds a rule of each row, which a row of a category can break. */
    private static void row(
            String section,
            String says,
            Predicate<Map<String, String>> holds,
            Consumer<Map<String, String>> breaks,
            String category) {
        ALL.add(
                new Rule(
                        section,
                        says,
                        sheet -> sheet.rows().stream().allMatch(row -> holds.test(row)),
                        sheet -> breaks.accept(sheet.first(category))));
    }

    private static boolean is(Map<String, String> row, String category) {
        return category.equals(row.get("ChargeCategory"));
    }

    /** Returns the number, or 0 for an invalid one, which another rule reports. */
    private static BigDecimal decimal(Map<String, String> row, String column) {
        String value = row.get(column);
        return value == null || !Type.DECIMAL.fits().test(value)
                ? BigDecimal.ZERO
                : new BigDecimal(value);
    }

    private static boolean isBefore(Map<String, String> row, String one, String other) {
        // They are compared as texts, which sort by time if they are times of this form.
        return row.getOrDefault(one, "").compareTo(row.getOrDefault(other, "")) < 0;
    }
}
