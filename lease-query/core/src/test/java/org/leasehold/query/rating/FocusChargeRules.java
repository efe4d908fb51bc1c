package org.leasehold.query.rating;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The rules of FOCUS about charges: prices, credits, times, and relations between columns. */
final class FocusChargeRules extends FocusRuleList {

    FocusChargeRules() {
        addPairs();
        addPrices();
        addUsage();
        addTimes();
        addRelations();
    }

    // Null with another, or not null with another.
    private void addPairs() {
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
    private void addPrices() {
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
    }

    private void addUsage() {
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
    private void addTimes() {
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
    private void addRelations() {
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

    private void together(String section, String one, String other) {
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
    private void priced(String column, String section) {
        for (String category : List.of("Usage", "Purchase")) {
            row(
                    column + "-" + section,
                    "is not null for what is a " + category,
                    row -> !is(row, category) || row.get(column) != null,
                    row -> row.remove(column),
                    category);
        }
    }

    private void notNegative(String column, String section) {
        row(
                column + "-" + section,
                "is never negative",
                row -> row.get(column) == null || decimal(row, column).signum() >= 0,
                row -> row.put(column, "-1"));
    }

    private void product(String section, String which) {
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

    private void ofCredits(String section, String price, String cost) {
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
    private void one(String section, String of, String other) {
        add(
                new FocusRules.Rule(
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

    private static boolean isBefore(Map<String, String> row, String one, String other) {
        // They are compared as texts, which sort by time if they are times of this form.
        return row.getOrDefault(one, "").compareTo(row.getOrDefault(other, "")) < 0;
    }
}
