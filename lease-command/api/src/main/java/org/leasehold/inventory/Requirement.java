package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a resource's properties must be: the meaning of Blazar's filter language, extended by {@code
 * or}, {@code not} and {@code in}.
 *
 * <p>Properties are texts. Two texts that are both numbers are compared as numbers, others as
 * texts. A resource that lacks the property meets no comparison with it, not even {@code !=}.
 */
public sealed interface Requirement {

    /** The requirement that every resource meets. */
    static Requirement none() {
        return new And(List.of());
    }

    /** This requirement and another one. */
    default Requirement and(Requirement other) {
        if (equals(none())) {
            return other;
        }
        return other.equals(none()) ? this : new And(List.of(this, other));
    }

    /** Whether a resource with these properties meets the requirement. */
    boolean isMetBy(Map<String, String> properties);

    /** The names of all properties that the requirement looks at. */
    default Set<String> properties() {
        Set<String> names = new TreeSet<>();
        collectProperties(names);
        return names;
    }

    /** Adds the names of the properties that this requirement looks at. */
    void collectProperties(Set<String> names);

    /** One comparison with a property. */
    record Comparison(Operator operator, String property, String value) implements Requirement {

        @Override
        public boolean isMetBy(Map<String, String> properties) {
            return Optional.ofNullable(properties.get(property))
                    .map(actual -> operator.holds(compare(actual, value)))
                    .orElse(false);
        }

        @Override
        public void collectProperties(Set<String> names) {
            names.add(property);
        }
    }

    /** The property is one of the values. */
    record In(String property, List<String> values) implements Requirement {

        public In {
            values = List.copyOf(values);
        }

        @Override
        public boolean isMetBy(Map<String, String> properties) {
            @Nullable String actual = properties.get(property);
            return actual != null && values.stream().anyMatch(value -> compare(actual, value) == 0);
        }

        @Override
        public void collectProperties(Set<String> names) {
            names.add(property);
        }
    }

    /** All of the terms hold. */
    record And(List<Requirement> terms) implements Requirement {

        public And {
            terms = List.copyOf(terms);
        }

        @Override
        public boolean isMetBy(Map<String, String> properties) {
            return terms.stream().allMatch(term -> term.isMetBy(properties));
        }

        @Override
        public void collectProperties(Set<String> names) {
            terms.forEach(term -> term.collectProperties(names));
        }
    }

    /** At least one of the terms holds. */
    record Or(List<Requirement> terms) implements Requirement {

        public Or {
            terms = List.copyOf(terms);
        }

        @Override
        public boolean isMetBy(Map<String, String> properties) {
            return terms.stream().anyMatch(term -> term.isMetBy(properties));
        }

        @Override
        public void collectProperties(Set<String> names) {
            terms.forEach(term -> term.collectProperties(names));
        }
    }

    /**
     * The term does not hold. This is plain negation: a resource without a GPU's name meets "not
     * the name is V100", although it does not meet "the name is other than V100".
     */
    record Not(Requirement term) implements Requirement {

        @Override
        public boolean isMetBy(Map<String, String> properties) {
            return !term.isMetBy(properties);
        }

        @Override
        public void collectProperties(Set<String> names) {
            term.collectProperties(names);
        }
    }

    /** How a property is compared with a value. */
    enum Operator {
        EQUAL,
        NOT_EQUAL,
        LESS,
        AT_MOST,
        GREATER,
        AT_LEAST;

        private boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case AT_MOST -> order <= 0;
                case GREATER -> order > 0;
                case AT_LEAST -> order >= 0;
            };
        }
    }

    private static int compare(String left, String right) {
        Optional<BigDecimal> leftNumber = number(left);
        Optional<BigDecimal> rightNumber = number(right);
        return leftNumber.isPresent() && rightNumber.isPresent()
                ? leftNumber.get().compareTo(rightNumber.get())
                : left.compareTo(right);
    }

    private static Optional<BigDecimal> number(String text) {
        // Most properties are words: a look at the first character spares the exception.
        if (text.isEmpty()
                || (!Character.isDigit(text.charAt(0)) && "+-.".indexOf(text.charAt(0)) < 0)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }
}
