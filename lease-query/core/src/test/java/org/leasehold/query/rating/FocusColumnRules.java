package org.leasehold.query.rating;

import static org.leasehold.query.rating.FocusType.CURRENCY;
import static org.leasehold.query.rating.FocusType.DATE_TIME;
import static org.leasehold.query.rating.FocusType.DECIMAL;
import static org.leasehold.query.rating.FocusType.KEY_VALUE;
import static org.leasehold.query.rating.FocusType.STRING;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The rules of FOCUS about columns: which there are, their types and the allowed values. */
final class FocusColumnRules extends FocusRuleList {

    /** The subcategories by category, for the categories of our services. */
    private static final Map<String, Set<String>> SUBCATEGORIES = subcategories();

    /** The columns of FOCUS. */
    private final Set<String> columns = new HashSet<>();

    FocusColumnRules() {
        addColumns();
        addAllowedValues();
    }

    // The rule that requires each column, the one of the type, and the one that it is never
    // null. PricingCurrency… and the types of accounts are required only for providers that have
    // several; if present, they must follow their rules.
    private void addColumns() {
        column("AvailabilityZone", "D-003-C", STRING, "C-001-M", null);
        column("BilledCost", "D-006-M", DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("BillingAccountId", "D-024-M", STRING, "C-002-M, C-003-M", "C-001-M");
        column("BillingAccountName", "D-005-M", STRING, "C-001-M, C-002-M", "C-003-C");
        column("BillingAccountType", "D-007-C", STRING, "C-001-M, C-002-M", "C-005-C");
        column("BillingCurrency", "D-035-M", CURRENCY, "C-003-M, C-006-M", "C-004-M");
        column("BillingPeriodEnd", "D-010-M", DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("BillingPeriodStart", "D-009-M", DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("CapacityReservationId", "D-065-C", STRING, "C-001-M, C-002-M", null);
        column("CapacityReservationStatus", "D-020-C", STRING, "C-001-M", null);
        column("ChargeCategory", "D-008-M", STRING, "C-001-M", "C-002-M");
        column("ChargeClass", "D-026-M", STRING, "C-001-M", null);
        column("ChargeDescription", "D-025-M", STRING, "C-001-M, C-002-M", "C-003-O");
        column("ChargeFrequency", "D-027-O", STRING, "C-001-M", "C-002-M");
        column("ChargePeriodEnd", "D-028-M", DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("ChargePeriodStart", "D-037-M", DATE_TIME, "C-001-M, C-002-M", "C-003-M");
        column("CommitmentDiscountCategory", "D-016-C", STRING, "C-001-M", null);
        column("CommitmentDiscountId", "D-013-C", STRING, "C-001-M, C-002-M", null);
        column("CommitmentDiscountName", "D-012-C", STRING, "C-001-M, C-002-M", null);
        column("CommitmentDiscountQuantity", "D-018-C", DECIMAL, "C-001-M, C-002-M", null);
        column("CommitmentDiscountStatus", "D-017-C", STRING, "C-001-M", null);
        column("CommitmentDiscountType", "D-014-C", STRING, "C-001-M, C-002-M", null);
        column("CommitmentDiscountUnit", "D-015-C", STRING, "C-001-M, C-002-M", null);
        column("ConsumedQuantity", "D-011-C", DECIMAL, "C-001-M, C-002-M, C-008-C", null);
        column("ConsumedUnit", "D-066-C", STRING, "C-001-M, C-002-M", null);
        column("ContractedCost", "D-030-M", DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("ContractedUnitPrice", "D-034-C", DECIMAL, "C-002-M, C-003-M", null);
        column("EffectiveCost", "D-031-M", DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("InvoiceId", "D-033-O", STRING, "C-001-M, C-002-M", null);
        column("InvoiceIssuerName", "D-023-M", STRING, "C-001-M, C-002-M", "C-003-M");
        column("ListCost", "D-032-M", DECIMAL, "C-001-M, C-002-M, C-004-M", "C-003-M");
        column("ListUnitPrice", "D-004-C", DECIMAL, "C-001-M, C-002-M", null);
        column("PricingCategory", "D-022-C", STRING, "C-001-M", null);
        column("PricingCurrency", "D-045-C", CURRENCY, "C-001-M to C-003-M", "C-004-M");
        column("PricingCurrencyContractedUnitPrice", "D-046-C", DECIMAL, "C-001-M, C-002-M", null);
        column(
                "PricingCurrencyEffectiveCost",
                "D-050-C",
                DECIMAL,
                "C-001-M, C-002-M, C-004-M",
                "C-003-M");
        column("PricingCurrencyListUnitPrice", "D-054-C", DECIMAL, "C-001-M, C-002-M", null);
        column("PricingQuantity", "D-036-M", DECIMAL, "C-001-M, C-002-M, C-008-M", null);
        column("PricingUnit", "D-068-M", STRING, "C-001-M, C-002-M", null);
        column("ProviderName", "D-038-M", STRING, "C-001-M, C-002-M", "C-003-M");
        column("PublisherName", "D-021-M", STRING, "C-001-M, C-002-M", "C-003-M");
        column("RegionId", "D-063-C", STRING, "C-001-M, C-002-M", null);
        column("RegionName", "D-062-C", STRING, "C-001-M, C-002-M", null);
        column("ResourceId", "D-043-C", STRING, "C-001-M, C-002-M", null);
        column("ResourceName", "D-044-C", STRING, "C-001-M, C-002-M", null);
        column("ResourceType", "D-039-C", STRING, "C-001-M, C-002-M", null);
        column("ServiceCategory", "D-040-M", STRING, "C-001-M", "C-002-M");
        column("ServiceName", "D-041-M", STRING, "C-001-M, C-002-M", "C-003-M");
        column("ServiceSubcategory", "D-042-O", STRING, "C-001-M", "C-002-M");
        column("SkuId", "D-060-C", STRING, "C-001-M, C-002-M", null);
        column("SkuMeter", "D-059-C", STRING, "C-001-M, C-002-M", null);
        column("SkuPriceDetails", "D-061-C", KEY_VALUE, "C-001-M", null);
        column("SkuPriceId", "D-058-C", STRING, "C-001-M, C-002-M", null);
        column("SubAccountId", "D-019-C", STRING, "C-001-M, C-002-M", null);
        column("SubAccountName", "D-029-C", STRING, "C-001-M, C-002-M", null);
        column("SubAccountType", "D-067-C", STRING, "C-001-M, C-002-M", null);
        column("Tags", "D-064-C", KEY_VALUE, "C-001-M", null);
        columnsInOrder();
    }

    private void addAllowedValues() {
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

    private void column(
            String name, String there, FocusType type, String typed, @Nullable String notNull) {
        columns.add(name);
        add(
                new FocusRules.Rule(
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

    private void columnsInOrder() {
        add(
                new FocusRules.Rule(
                        "ColumnHandling-A-001-M, A-003-M, A-010-M",
                        "what is not of FOCUS begins with x_, and is in Pascal case as all is",
                        sheet ->
                                sheet.columns().stream()
                                        .allMatch(
                                                name ->
                                                        name.matches("(x_)?[A-Z][A-Za-z0-9]*")
                                                                && name.startsWith("x_")
                                                                        == !columns.contains(name)),
                        sheet -> sheet.columns().add("LeaseId")));
        add(
                new FocusRules.Rule(
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

    private void allowed(String column, String section, String... values) {
        row(
                column + "-" + section,
                "is one of " + List.of(values),
                row -> {
                    String value = row.get(column);
                    return value == null || List.of(values).contains(value);
                },
                row -> row.put(column, "Something Else"));
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
}
