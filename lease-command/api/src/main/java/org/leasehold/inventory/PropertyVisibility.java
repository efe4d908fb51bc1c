package org.leasehold.inventory;

/**
 * Says who may see that a property exists. It is a command and, once stored, the event: there is
 * nothing to decide.
 *
 * @param property the property's plain name
 * @param hidden whether only administrators see it
 */
public record PropertyVisibility(ResourceKind kind, String property, boolean hidden) {

    public PropertyVisibility {
        property = PropertyName.plain(property);
    }
}
