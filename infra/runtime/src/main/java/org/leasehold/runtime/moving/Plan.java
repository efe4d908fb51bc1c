package org.leasehold.runtime.moving;

import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceKind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is to come, what is left behind, and what stands in the way. */
final class Plan {

    /** In the order in which they are enrolled. */
    private final Map<String, Newcomer> resources = new LinkedHashMap<>();

    private final List<PropertyVisibility> hidden = new ArrayList<>();
    private final List<Arrival> leases = new ArrayList<>();
    private final List<Note> changed = new ArrayList<>();
    private final List<Note> left = new ArrayList<>();
    private final List<Note> obstacles = new ArrayList<>();

    /**
     * A resource that is to come.
     *
     * @param keepsId whether its id is Blazar's; otherwise it gets one
     * @param reservable false while the cloud cannot give it
     */
    record Newcomer(EnrolResource enrolment, boolean keepsId, boolean reservable) {

        ResourceKind kind() {
            return enrolment.kind();
        }

        String name() {
            return enrolment.name();
        }
    }

    void add(Newcomer resource) {
        resources.put(resource.kind() + "/" + resource.name(), resource);
    }

    void add(Arrival lease) {
        leases.add(lease);
    }

    void hide(PropertyVisibility property) {
        hidden.add(property);
    }

    /** It comes, but not as it was. */
    void changes(String about, String how) {
        changed.add(new Note(about, how));
    }

    /** It does not come, and need not. */
    void leaves(String about, String why) {
        left.add(new Note(about, why));
    }

    /** It does not come, and ought to: nothing does before an operator has done something. */
    void isObstructed(String about, String why) {
        obstacles.add(new Note(about, why));
    }

    Optional<Newcomer> find(ResourceKind kind, String name) {
        return Optional.ofNullable(resources.get(kind + "/" + name));
    }

    List<Newcomer> resources() {
        return List.copyOf(resources.values());
    }

    List<PropertyVisibility> hidden() {
        return Collections.unmodifiableList(hidden);
    }

    List<Arrival> leases() {
        return Collections.unmodifiableList(leases);
    }

    List<Note> changed() {
        return Collections.unmodifiableList(changed);
    }

    List<Note> left() {
        return Collections.unmodifiableList(left);
    }

    List<Note> obstacles() {
        return Collections.unmodifiableList(obstacles);
    }
}
