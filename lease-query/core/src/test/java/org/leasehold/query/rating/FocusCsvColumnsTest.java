package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.minute;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Reason;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.Charge.What;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.vocabulary.ReservationId;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Tests the values of single columns of the table. */
class FocusCsvColumnsTest extends FocusCsvFixture {

    @Test
    void a_row_contains_every_column_of_a_usage_charge() {
        Map<String, String> row =
                sheet(
                                List.of(
                                        lease(
                                                1,
                                                List.of(
                                                        usage(
                                                                "compute-7",
                                                                "2030",
                                                                minute(90),
                                                                minute(1500))))))
                        .rows()
                        .getFirst();
        assertThat(row)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                                Map.entry("BilledCost", "28.20"),
                                Map.entry("BillingAccountId", "cloud-1"),
                                Map.entry("BillingAccountName", "cloud-1"),
                                Map.entry("BillingAccountType", "Cloud"),
                                Map.entry("BillingCurrency", "EUR"),
                                Map.entry("BillingPeriodEnd", "2030-02-01T00:00:00Z"),
                                Map.entry("BillingPeriodStart", "2030-01-01T00:00:00Z"),
                                Map.entry("CapacityReservationId", LeaseScenario.R.toString()),
                                Map.entry("CapacityReservationStatus", "Used"),
                                Map.entry("ChargeCategory", "Usage"),
                                Map.entry("ChargeDescription", "Reserved, given: compute-7"),
                                Map.entry("ChargeFrequency", "Usage-Based"),
                                Map.entry("ChargePeriodEnd", "2030-01-02T13:00:00Z"),
                                Map.entry("ChargePeriodStart", "2030-01-01T13:30:00Z"),
                                Map.entry("ConsumedQuantity", "23.5"),
                                Map.entry("ConsumedUnit", "Slot-Hours"),
                                Map.entry("ContractedCost", "28.2"),
                                Map.entry("ContractedUnitPrice", "1.2"),
                                Map.entry("EffectiveCost", "28.20"),
                                Map.entry("InvoiceIssuerName", "cloud-1"),
                                Map.entry("ListCost", "28.2"),
                                Map.entry("ListUnitPrice", "1.2"),
                                Map.entry("PricingCategory", "Standard"),
                                Map.entry("PricingCurrency", "EUR"),
                                Map.entry("PricingCurrencyContractedUnitPrice", "1.2"),
                                Map.entry("PricingCurrencyEffectiveCost", "28.20"),
                                Map.entry("PricingCurrencyListUnitPrice", "1.2"),
                                Map.entry("PricingQuantity", "23.5"),
                                Map.entry("PricingUnit", "Slot-Hours"),
                                Map.entry("ProviderName", "cloud-1"),
                                Map.entry("PublisherName", "cloud-1"),
                                Map.entry("ResourceId", "physical:host/7"),
                                Map.entry("ResourceName", "compute-7"),
                                Map.entry("ResourceType", "physical:host"),
                                Map.entry("ServiceCategory", "Compute"),
                                Map.entry("ServiceName", "Hosts"),
                                Map.entry("ServiceSubcategory", "Other (Compute)"),
                                Map.entry("SkuId", "usage/physical:host/physical:host/slot"),
                                Map.entry("SkuMeter", "Reserved Time"),
                                Map.entry(
                                        "SkuPriceId",
                                        "2030/usage/physical:host/physical:host/slot/1.2/EUR"),
                                Map.entry("SubAccountId", "astronomy"),
                                Map.entry("SubAccountName", "astronomy"),
                                Map.entry("SubAccountType", "Project"),
                                Map.entry(
                                        "Tags",
                                        "{\"leasehold:lease\":\"%s\",\"leasehold:plan\":\"2030\"}"
                                                .formatted(new UUID(1, 1))),
                                Map.entry("x_LeaseId", new UUID(1, 1).toString())));
    }

    @Test
    void every_kind_and_unit_maps_to_allowed_values() {
        List<Charge> charges = new ArrayList<>();
        List<ResourceKind> kinds =
                List.of(
                        ResourceKind.PHYSICAL_HOST,
                        ResourceKind.VIRTUAL_INSTANCE,
                        ResourceKind.FLAVOR_INSTANCE,
                        ResourceKind.SERVER,
                        ResourceKind.STACK,
                        ResourceKind.FLOATING_IP,
                        ResourceKind.NETWORK,
                        ResourceKind.VOLUME,
                        new ResourceKind("custom:telescope"));
        List<String> units = List.of("slot", "VCPU", "MEMORY_MB", "VOLUME_GB", "FLOATING_IP");
        for (ResourceKind kind : kinds) {
            for (String unit : units) {
                charges.add(
                        new Charge(
                                new ReservationId(new UUID(3, charges.size())),
                                kind,
                                new Use(
                                        new ResourceId(charges.size() + 1L),
                                        "something",
                                        kind,
                                        3,
                                        unit,
                                        Time.LOST),
                                What.PREMIUM,
                                new Reason.Property("gpu", "V100"),
                                "2030",
                                minute(0),
                                minute(10),
                                new BigDecimal("0.000000000001"),
                                EUR));
            }
        }
        ParsedFocusCsv sheet = sheet(List.of(lease(1, charges)));
        assertThat(FocusRules.broken(sheet)).isEmpty();
        assertThat(sheet.rows())
                .extracting(row -> row.get("PricingUnit"))
                .contains("Slot-Hours", "Core-Hours", "MiB-Hours", "GiB-Hours", "Unit-Hours");
        assertThat(sheet.rows().getLast())
                .containsEntry("ServiceName", "custom:telescope")
                .containsEntry("ServiceCategory", "Other")
                .containsEntry("PricingQuantity", "0.5")
                .containsEntry("ListCost", "0.0000000000005")
                .containsEntry("ConsumedQuantity", "0");
    }

    private static Charge because(What what, Reason reason, String price) {
        Charge usage = usage("compute-7", "2030", minute(0), minute(60));
        return new Charge(
                usage.reservation(),
                usage.kind(),
                usage.use(),
                what,
                reason,
                usage.plan(),
                usage.from(),
                usage.until(),
                new BigDecimal(price),
                EUR);
    }

    @Test
    void a_hidden_property_appears_in_no_column() {
        Reason gpu = new Reason.Property("gpu", "V100");
        List<LeaseCharges> leases =
                List.of(
                        lease(
                                1,
                                List.of(
                                        because(What.PREMIUM, gpu, "0.60"),
                                        because(What.CREDIT, gpu, "-0.10"))));
        String everything = csv(leases, UnaryOperator.identity());
        assertThat(everything).contains("gpu=V100");

        UnaryOperator<Charge> unseen = charge -> charge.withReason(new Reason.HiddenProperty());

        assertThat(csv(leases, unseen)).isEqualTo(everything.replace("gpu=V100", "property"));
    }

    @Test
    void times_have_whole_seconds_and_no_period_is_empty() {
        Instant noon = minute(0);
        ParsedFocusCsv sheet =
                sheet(
                        List.of(
                                lease(
                                        1,
                                        List.of(
                                                usage(
                                                        "a",
                                                        "p",
                                                        noon.plusMillis(1),
                                                        noon.plusMillis(2)),
                                                usage(
                                                        "a",
                                                        "p",
                                                        noon.plusMillis(2),
                                                        noon.plusMillis(2600))))));
        assertThat(FocusRules.broken(sheet)).isEmpty();
        assertThat(sheet.rows())
                .extracting(row -> row.get("ChargePeriodStart") + " " + row.get("ChargePeriodEnd"))
                .containsExactly(
                        "2030-01-01T12:00:00Z 2030-01-01T12:00:01Z",
                        "2030-01-01T12:00:00Z 2030-01-01T12:00:02Z");
        assertThat(sheet.rows().getFirst()).containsEntry("PricingQuantity", "0.000000277778");
    }

    @Test
    void no_time_is_after_the_year_9999() {
        Instant end = Instant.parse("9999-12-31T23:59:59Z");
        ParsedFocusCsv sheet =
                sheet(List.of(lease(1, List.of(usage("a", "p", end.minusSeconds(60), end)))));

        assertThat(FocusRules.broken(sheet)).isEmpty();
        assertThat(sheet.rows())
                .extracting(row -> row.get("BillingPeriodEnd") + " " + row.get("ChargePeriodEnd"))
                .containsExactly("9999-12-31T23:59:59Z 9999-12-31T23:59:59Z");
    }

    @Test
    void a_formula_in_a_name_is_escaped_and_stays_in_one_field() {
        for (String begin : List.of("=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D")) {
            String name = begin + "cmd|' /C calc'!A0,\"\r\n";
            Map<String, String> row =
                    sheet(List.of(lease(1, List.of(usage(name, begin, minute(0), minute(9))))))
                            .rows()
                            .getFirst();
            assertThat(row)
                    .containsEntry("ResourceName", "'" + name)
                    .containsEntry("ResourceType", "physical:host");
            assertThat(row.get("SkuPriceId")).startsWith("'" + begin);
            assertThat(row.values().stream().filter(cell -> cell.startsWith(begin))).isEmpty();
        }
        assertThat(
                        csv(
                                List.of(lease(1, List.of(usage("a b", "p", minute(0), minute(9))))),
                                UnaryOperator.identity()))
                .contains(",a b,");
    }

    @Test
    void an_export_without_charges_contains_only_the_header() {
        assertThat(csv(List.of(), UnaryOperator.identity()))
                .startsWith("AvailabilityZone,BilledCost,")
                .endsWith("x_LeaseId\r\n");
        assertThat(sheet(List.of()).columns()).hasSize(58);
    }
}
