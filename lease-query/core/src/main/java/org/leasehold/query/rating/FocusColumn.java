package org.leasehold.query.rating;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The columns of FOCUS 1.2, in the order of their names, and one of our own. Columns without data
 * are included and are null in each row, so a loader of the table need not check which exist.
 */
enum FocusColumn {
    AVAILABILITY_ZONE,
    BILLED_COST,
    BILLING_ACCOUNT_ID,
    BILLING_ACCOUNT_NAME,
    BILLING_ACCOUNT_TYPE,
    BILLING_CURRENCY,
    BILLING_PERIOD_END,
    BILLING_PERIOD_START,
    CAPACITY_RESERVATION_ID,
    CAPACITY_RESERVATION_STATUS,
    CHARGE_CATEGORY,
    CHARGE_CLASS,
    CHARGE_DESCRIPTION,
    CHARGE_FREQUENCY,
    CHARGE_PERIOD_END,
    CHARGE_PERIOD_START,
    COMMITMENT_DISCOUNT_CATEGORY,
    COMMITMENT_DISCOUNT_ID,
    COMMITMENT_DISCOUNT_NAME,
    COMMITMENT_DISCOUNT_QUANTITY,
    COMMITMENT_DISCOUNT_STATUS,
    COMMITMENT_DISCOUNT_TYPE,
    COMMITMENT_DISCOUNT_UNIT,
    CONSUMED_QUANTITY,
    CONSUMED_UNIT,
    CONTRACTED_COST,
    CONTRACTED_UNIT_PRICE,
    EFFECTIVE_COST,
    INVOICE_ID,
    INVOICE_ISSUER_NAME,
    LIST_COST,
    LIST_UNIT_PRICE,
    PRICING_CATEGORY,
    PRICING_CURRENCY,
    PRICING_CURRENCY_CONTRACTED_UNIT_PRICE,
    PRICING_CURRENCY_EFFECTIVE_COST,
    PRICING_CURRENCY_LIST_UNIT_PRICE,
    PRICING_QUANTITY,
    PRICING_UNIT,
    PROVIDER_NAME,
    PUBLISHER_NAME,
    REGION_ID,
    REGION_NAME,
    RESOURCE_ID,
    RESOURCE_NAME,
    RESOURCE_TYPE,
    SERVICE_CATEGORY,
    SERVICE_NAME,
    SERVICE_SUBCATEGORY,
    SKU_ID,
    SKU_METER,
    SKU_PRICE_DETAILS,
    SKU_PRICE_ID,
    SUB_ACCOUNT_ID,
    SUB_ACCOUNT_NAME,
    SUB_ACCOUNT_TYPE,
    TAGS,
    /** Not of FOCUS, which has no term for a group of reservations. */
    X_LEASE_ID("x_LeaseId");

    private final String id;

    FocusColumn() {
        this.id =
                Arrays.stream(name().split("_", -1))
                        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining());
    }

    FocusColumn(String id) {
        this.id = id;
    }

    /** Returns the column's id, as in the first line of a table. */
    String id() {
        return id;
    }
}
