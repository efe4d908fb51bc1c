package org.leasehold.resource.stack;

import static org.leasehold.resource.stack.Template.map;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.stack.Template.Dialect;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The deletion policies of the resources of a template. Heat applies them to resources that an
 * update removes, too.
 */
final class DeletionPolicies {

    /** The policies that leave nothing on the calendar: a snapshot is not the volume. */
    private static final Set<String> DELETING = Set.of("delete", "snapshot");

    private final Map<?, ?> template;
    private final Dialect dialect;
    private final Map<?, ?> files;

    private DeletionPolicies(Map<?, ?> template, Map<?, ?> files) {
        this.template = template;
        this.dialect = Dialect.of(template);
        this.files = files;
    }

    /** Returns the deletion policies of a request, as a plan normalised it. */
    static DeletionPolicies of(Map<String, @Nullable Object> parameters) {
        return new DeletionPolicies(
                TemplateParser.parseObject(parameters.get(StackPlanning.TEMPLATE)).orElse(Map.of()),
                map(parameters.get(StackPlanning.FILES)));
    }

    /**
     * Returns whether Heat may keep a part that an update removes. If only the user's functions or
     * the files say so, the answer is yes: the calendar must not free what the cloud may hold.
     */
    boolean mayKeep(StackComponent part) {
        Map<?, ?> resources = map(template.get(dialect.resources));
        Optional<String> owner = Template.owner(resources, part);
        if (owner.isEmpty()) {
            return true;
        }
        Map<?, ?> resource = map(resources.get(owner.get()));
        return keeps(Template.withPolicy(resource, dialect).get(dialect.policy))
                || (!owner.get().equals(part.name()) && filesKeep());
    }

    /** Returns whether any template among the files keeps a resource. */
    private boolean filesKeep() {
        return files.values().stream()
                .flatMap(file -> TemplateParser.parseObject(file).stream())
                .anyMatch(DeletionPolicies::keepsAny);
    }

    private static boolean keepsAny(Map<?, ?> template) {
        Dialect dialect = Dialect.of(template);
        return map(template.get(dialect.resources)).values().stream()
                .anyMatch(resource -> keeps(map(resource).get(dialect.policy)));
    }

    private static boolean keeps(@Nullable Object policy) {
        return policy != null
                && !(policy instanceof String word
                        && DELETING.contains(word.toLowerCase(Locale.ROOT)));
    }
}
