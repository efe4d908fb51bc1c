package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A condition on a resource's properties. It has the meaning of Blazar's filter language, extended
 * by {@code or}, {@code not} and {@code in}.
 *
 * <p>Properties are texts. Two texts that are both numbers are compared as numbers, others as
 * texts. A resource that lacks the property meets no comparison with it, not even {@code !=}.
 */
public sealed interface Requirement {

    /** Returns the requirement that every resource meets. */
    static Requirement none() {
        return new And(List.of());
    }

    /** Returns the conjunction of this requirement and another one. */
    default Requirement and(Requirement other) {
        if (equals(none())) {
            return other;
        }
        return other.equals(none()) ? this : new And(List.of(this, other));
    }

    /** Returns true if a resource with these properties meets the requirement. */
    boolean isMetBy(Map<String, String> properties);

    /** Returns the names of all properties that the requirement reads. */
    default Set<String> properties() {
        Set<String> names = new TreeSet<>();
        collectProperties(names);
        return names;
    }

    /** Adds the names of the properties that this requirement reads. */
    void collectProperties(Set<String> names);

    /** A comparison of a property with a value. */
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

    /** A requirement that the property is one of the values. */
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

    /** A requirement that all of the terms hold. */
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

    /** A requirement that at least one of the terms holds. */
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
     * A requirement that the term does not hold. This is plain negation. A resource without a GPU's
     * name meets "not the name is V100". It does not meet "the name is other than V100".
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

    /** The operator of a comparison. */
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
        // Most properties are words: a check of the first character avoids the exception.
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
