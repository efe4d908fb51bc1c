package org.leasehold.inventory;

/**
 * The visibility of a property. It is the command and, once stored, the event: there is nothing to
 * decide.
 *
 * @param property the property's plain name
 * @param hidden true if only administrators see it
 */
public record PropertyVisibility(ResourceKind kind, String property, boolean hidden) {

    public PropertyVisibility {
        property = PropertyName.withoutScope(property);
    }
}
