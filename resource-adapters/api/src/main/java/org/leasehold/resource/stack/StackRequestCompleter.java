package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.stack.Stacks.Search;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Adds the description of the stack, from the cloud, to a request. */
public final class StackRequestCompleter implements RequestCompleter {

    private final Stacks stacks;

    public StackRequestCompleter(Stacks stacks) {
        this.stacks = stacks;
    }

    @Override
    public Set<String> addedParameters() {
        return Set.of(StackPlanning.STACK);
    }

    /**
     * Completes a request. A change that leaves the stack's content alone does not query again: the
     * promise stays unchanged.
     */
    @Override
    public Completion complete(
            Map<String, @Nullable Object> said,
            Map<String, @Nullable Object> present,
            Asker asker) {
        Map<String, @Nullable Object> asked = HiddenParameters.unmask(said, present);
        Map<String, @Nullable Object> wish = new LinkedHashMap<>(present);
        wish.putAll(asked);
        if (StackPlanning.validate(wish).isPresent()
                || (!present.isEmpty() && !StackPlanning.isContentChanged(present, wish))) {
            return new Completion.Complete(asked);
        }
        Optional<String> existing = StackPlanning.existing(wish);
        if (existing.isEmpty()) {
            return preview(asked, wish, asker);
        }
        // Another stack would be another reservation, as planning says.
        return present.isEmpty()
                ? complete(asked, StackPlanning.STACK_ID, stacks.find(existing.get(), asker))
                : new Completion.Complete(asked);
    }

    private Completion preview(
            Map<String, @Nullable Object> asked, Map<String, @Nullable Object> wish, Asker asker) {
        Optional<Plan.Invalid> unfit = TemplateCheck.validate(wish);
        if (unfit.isPresent()) {
            return new Completion.Refused(
                    asked.containsKey(unfit.get().field()) ? unfit.get().field() : field(asked),
                    unfit.get().message());
        }
        Search search = stacks.preview(wish, asker);
        Optional<String> misfit =
                search instanceof Search.Found found
                        ? Template.validate(wish.get(StackPlanning.TEMPLATE), found)
                        : Optional.empty();
        return misfit.<Completion>map(message -> new Completion.Refused(field(asked), message))
                .orElseGet(() -> complete(asked, field(asked), search));
    }

    /** Returns the first field of the stack that the request sets. */
    private static String field(Map<String, @Nullable Object> asked) {
        return StackPlanning.NEW_STACK_PARAMETERS.stream()
                .filter(asked::containsKey)
                .findFirst()
                .orElse(StackPlanning.TEMPLATE);
    }

    private static Completion complete(
            Map<String, @Nullable Object> asked, String field, Search search) {
        return switch (search) {
            case Search.Found found -> {
                Map<String, @Nullable Object> complete = new LinkedHashMap<>(asked);
                complete.put(
                        StackPlanning.STACK,
                        new StackDescription(found.name(), found.parts()).attributes());
                yield new Completion.Complete(complete);
            }
            case Search.NotFound _ ->
                    new Completion.NotFound(
                            field, StackPlanning.notFound(Objects.toString(asked.get(field))));
            case Search.Refused(String message) -> new Completion.Refused(field, message);
            case Search.Unknown(var fault) -> new Completion.Unknown(fault);
        };
    }
}
