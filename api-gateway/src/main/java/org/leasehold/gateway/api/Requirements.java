package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.HiddenProperties;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.requirement.RequirementParser;
import org.leasehold.resource.requirement.RequirementParser.Reading;

/** Requirements that somebody who plans asks for. What is hidden from him tells nothing apart. */
final class Requirements {

    private Requirements() {}

    /**
     * Reads one.
     *
     * @param field where it was said
     * @throws ProblemException if it is malformed, or names what is hidden
     */
    static Requirement read(
            HiddenProperties hidden,
            Caller caller,
            ResourceKind kind,
            String field,
            @Nullable String text) {
        Requirement requirement =
                switch (RequirementParser.parse(text)) {
                    case Reading.Understood(Requirement understood) -> understood;
                    case Reading.Malformed(String message) ->
                            throw new ProblemException(Problem.ofField(field, message));
                };
        requirement.properties().forEach(name -> requireSeen(hidden, caller, kind, field, name));
        return requirement;
    }

    /**
     * Requires that a property may be named.
     *
     * @throws ProblemException if it is hidden
     */
    static void requireSeen(
            HiddenProperties hidden,
            Caller caller,
            ResourceKind kind,
            String field,
            String property) {
        if (hidden.hides(caller, kind, property)) {
            throw new ProblemException(
                    Problem.ofField(field, "names what only administrators see"));
        }
    }
}
