package org.leasehold.gateway.api.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.requirement.RequirementParser;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.util.Set;

/** Requirements in the queries of planners. Hidden properties are unknown to other callers. */
public final class RequirementValidator {

    private RequirementValidator() {}

    /**
     * Reads a requirement.
     *
     * @param field its path in the request
     * @throws ProblemException if it is malformed, or names an unknown property
     */
    public static Requirement parseRequirement(
            FilterPropertyValidator names,
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
        requireKnownProperties(names, caller, kind, field, requirement.properties());
        return requirement;
    }

    /**
     * Requires that the caller knows the properties, or once did: queries may be about the past.
     *
     * @throws ProblemException if one is unknown
     */
    public static void requireKnownProperties(
            FilterPropertyValidator names,
            Caller caller,
            ResourceKind kind,
            String field,
            Set<String> properties) {
        names.neverKnownError(caller, kind, properties)
                .ifPresent(
                        message -> {
                            throw new ProblemException(Problem.ofField(field, message));
                        });
    }
}
