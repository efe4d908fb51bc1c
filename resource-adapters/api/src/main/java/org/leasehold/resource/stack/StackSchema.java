package org.leasehold.resource.stack;

import static org.leasehold.resource.stack.StackPlanning.ENVIRONMENT;
import static org.leasehold.resource.stack.StackPlanning.FILES;
import static org.leasehold.resource.stack.StackPlanning.ON_END;
import static org.leasehold.resource.stack.StackPlanning.PARAMETERS;
import static org.leasehold.resource.stack.StackPlanning.STACK_ID;
import static org.leasehold.resource.stack.StackPlanning.TEMPLATE;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The description of reservations of stacks, for any cloud. */
final class StackSchema {

    private static final String HEAT_OBJECT = "HeatObject";

    private static final Map<String, Object> REFERENCE = Map.of("$ref", "#/$defs/" + HEAT_OBJECT);

    private static final Map<String, Object> DEFINITIONS =
            Map.of(
                    HEAT_OBJECT,
                    FieldSchema.typed("object", "An object that Heat interprets.")
                            .with("additionalProperties", true)
                            .keywords());

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(TEMPLATE, objectOrText("Heat's template of a new stack."))
                    .with(PARAMETERS, object("The values of the template's parameters, by name."))
                    .with(ENVIRONMENT, objectOrText("Heat's environment."))
                    .with(
                            FILES,
                            object(
                                    "The files to which the template and the environment refer, by"
                                            + " name."))
                    .with(
                            ON_END,
                            FieldSchema.words(
                                    StackEndAction.class,
                                    "The action at the end; by default, delete for a new stack and"
                                            + " suspend for an existing one. A new stack is not"
                                            + " kept."));

    static final KindDescription DESCRIPTION =
            new KindDescription(
                    "A Heat stack: a new one from a template, or an existing one of the project.",
                    List.of(
                            ResourceUse.part(ResourceKind.SERVER),
                            ResourceUse.part(ResourceKind.VOLUME),
                            ResourceUse.part(ResourceKind.STACK)),
                    CHANGES.with(
                                    STACK_ID,
                                    FieldSchema.uuid(
                                            "The id of an existing stack of the project; then only"
                                                    + " on_end is allowed besides."))
                            .withRule("if", Map.of("required", List.of(STACK_ID)))
                            .withRule(
                                    "then",
                                    Map.of(
                                            "propertyNames",
                                            Map.of("enum", List.of(STACK_ID, ON_END))))
                            .withRule("else", newStack())
                            .json(),
                    CHANGES.json());

    private StackSchema() {}

    private static Map<String, Object> newStack() {
        List<String> actions = List.of(StackEndAction.DELETE.word(), StackEndAction.SUSPEND.word());
        Map<String, Object> rules = new LinkedHashMap<>();
        rules.put("required", List.of(TEMPLATE));
        rules.put("properties", Map.of(ON_END, Map.of("enum", actions)));
        return rules;
    }

    private static FieldSchema object(String description) {
        Map<String, Object> keywords = new LinkedHashMap<>(REFERENCE);
        keywords.put("description", description);
        return new FieldSchema(keywords, DEFINITIONS);
    }

    private static FieldSchema objectOrText(String description) {
        Map<String, Object> keywords = new LinkedHashMap<>();
        keywords.put("description", description);
        keywords.put(
                "anyOf",
                List.of(
                        REFERENCE,
                        FieldSchema.typed("string", "The same as text.")
                                .with("pattern", "^\\s*\\S")
                                .keywords()));
        return new FieldSchema(keywords, DEFINITIONS);
    }
}
