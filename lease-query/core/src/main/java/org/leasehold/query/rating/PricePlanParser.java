package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.rating.Rate.OfAmount;
import org.leasehold.query.rating.Rate.OfProperty;
import org.leasehold.query.rating.Rate.Premium;
import org.leasehold.query.rating.Rate.Tier;
import org.leasehold.readmodel.usage.Charge.Use;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A parser of price plans, which names the exact place of an error. */
final class PricePlanParser {

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();
    private static final int MAX_DIGITS = 12;
    private static final BigDecimal MAX_NUMBER = BigDecimal.TEN.pow(12);

    /** The path in the file, such as {@code plans[0].rates[1]}; empty for the file itself. */
    private final String path;

    private final JsonNode node;

    private PricePlanParser(String at, JsonNode node) {
        this.path = at;
        this.node = node;
    }

    static List<PricePlan> read(String json) {
        PricePlanParser file;
        try {
            file = new PricePlanParser("", JSON.readTree(json));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
        }
        file.requireFields(Set.of("plans"));
        List<PricePlan> plans = file.list("plans", PricePlanParser::plan);
        if (plans.isEmpty()) {
            throw file.invalidField("plans", "must have at least one");
        }
        for (int i = 1; i < plans.size(); i++) {
            if (!plans.get(i - 1).from().isBefore(plans.get(i).from())) {
                throw file.invalidField(
                        "plans[%s].from".formatted(i), "must be after the plan before");
            }
        }
        return plans;
    }

    private PricePlan plan() {
        requireFields(Set.of("name", "from", "currency", "rates"));
        return new PricePlan(text("name"), instant("from"), currency("currency"), rates());
    }

    private List<Rate> rates() {
        List<Rate> rates = list("rates", PricePlanParser::rate);
        Set<ResourceKind> kinds = new HashSet<>();
        for (int i = 0; i < rates.size(); i++) {
            Rate rate = rates.get(i);
            boolean hasFees = rate.fee().signum() + rate.reservationFee().signum() > 0;
            if (!kinds.add(rate.kind()) && hasFees) {
                throw invalidField(
                        "rates[%s]".formatted(i),
                        "must have no fees: those of the kind's first rate count");
            }
        }
        return rates;
    }

    private Rate rate() {
        requireFields(
                Set.of(
                        "kind",
                        "resources",
                        "per",
                        "price",
                        "tiers",
                        "premiums",
                        "fee",
                        "reservation_fee",
                        "credit_percent"));
        List<Tier> tiers = new ArrayList<>();
        tiers.add(new Tier(Duration.ZERO, decimal("price", null)));
        for (Tier tier :
                node.has("tiers") ? list("tiers", PricePlanParser::tier) : List.<Tier>of()) {
            if (tier.from().compareTo(tiers.getLast().from()) <= 0) {
                throw invalidField(
                        "tiers[%s].from_hours".formatted(tiers.size() - 1),
                        "must be more than before");
            }
            tiers.add(tier);
        }
        BigDecimal credit = decimal("credit_percent", BigDecimal.valueOf(100));
        if (credit.compareTo(BigDecimal.valueOf(100)) > 0) {
            throw invalidField("credit_percent", "must be at most 100");
        }
        return new Rate(
                new ResourceKind(text("kind")),
                node.has("resources") ? new ResourceKind(text("resources")) : null,
                node.has("per") ? text("per") : Use.SLOT,
                tiers,
                node.has("premiums") ? list("premiums", PricePlanParser::premium) : List.of(),
                decimal("fee", BigDecimal.ZERO),
                decimal("reservation_fee", BigDecimal.ZERO),
                credit.movePointLeft(2));
    }

    private Tier tier() {
        requireFields(Set.of("from_hours", "price"));
        return new Tier(Duration.ofHours(integer("from_hours")), decimal("price", null));
    }

    private Premium premium() {
        requireFields(Set.of("property", "value", "slots", "percent"));
        BigDecimal part = decimal("percent", null).movePointLeft(2);
        if (node.has("slots") == node.has("property")) {
            throw invalidField("property", "or slots must be there, and not both");
        }
        return node.has("slots")
                ? new OfAmount(integer("slots"), part)
                : new OfProperty(PropertyName.withoutScope(text("property")), text("value"), part);
    }

    private void requireFields(Set<String> known) {
        if (!node.isObject()) {
            throw new IllegalArgumentException(
                    (path.isEmpty() ? "it" : path) + ": must be an object");
        }
        for (String name : node.propertyNames()) {
            if (!known.contains(name)) {
                throw invalidField(name, "is unknown");
            }
        }
    }

    private <T> List<T> list(String name, Function<PricePlanParser, T> read) {
        JsonNode list = node.path(name);
        if (!list.isArray()) {
            throw invalidField(name, "must be a list");
        }
        List<T> items = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            items.add(
                    read.apply(
                            new PricePlanParser("%s[%s]".formatted(field(name), i), list.path(i))));
        }
        return items;
    }

    private String text(String name) {
        JsonNode value = node.path(name);
        if (!value.isString() || value.stringValue().isBlank()) {
            throw invalidField(name, "must be a text");
        }
        return value.stringValue();
    }

    private Instant instant(String name) {
        try {
            return Instant.parse(text(name));
        } catch (DateTimeException e) {
            throw invalidField(name, "must be a time such as 2030-01-31T00:00:00Z");
        }
    }

    private Currency currency(String name) {
        try {
            Currency currency = Currency.getInstance(text(name));
            if (currency.getDefaultFractionDigits() >= 0) {
                return currency;
            }
        } catch (IllegalArgumentException e) {
            // Unknown, or not a currency for payments.
        }
        throw invalidField(name, "must be a currency of ISO 4217, such as EUR");
    }

    private int integer(String name) {
        JsonNode value = node.path(name);
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
            throw invalidField(name, "must be a positive number");
        }
        return value.intValue();
    }

    /** Returns a number, also from a text: some writers of JSON have only binary fractions. */
    private BigDecimal decimal(String name, @Nullable BigDecimal missing) {
        JsonNode value = node.path(name);
        if (value.isMissingNode() && missing != null) {
            return missing;
        }
        try {
            String text = value.isString() ? value.stringValue() : "";
            BigDecimal decimal = value.isNumber() ? value.decimalValue() : new BigDecimal(text);
            if (decimal.signum() >= 0
                    && decimal.scale() >= -MAX_DIGITS
                    && decimal.scale() <= MAX_DIGITS
                    && decimal.compareTo(MAX_NUMBER) < 0) {
                return decimal;
            }
        } catch (NumberFormatException e) {
            // Treated like any other invalid number.
        }
        throw invalidField(
                name, "must be a number from 0, with at most %s digits".formatted(MAX_DIGITS));
    }

    private String field(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private IllegalArgumentException invalidField(String name, String message) {
        return new IllegalArgumentException(field(name) + ": " + message);
    }
}
