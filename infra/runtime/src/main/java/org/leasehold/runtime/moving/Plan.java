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

/** The plan of an import: imports, omissions and obstacles. */
final class Plan {

    /** Resources in the order of their enrolment. */
    private final Map<String, Newcomer> resources = new LinkedHashMap<>();

    private final List<PropertyVisibility> hidden = new ArrayList<>();
    private final List<Arrival> leases = new ArrayList<>();
    private final List<Note> changed = new ArrayList<>();
    private final List<Note> left = new ArrayList<>();
    private final List<Note> obstacles = new ArrayList<>();

    /**
     * A resource to import.
     *
     * @param keepsId true if it gets Blazar's id, false if it gets a new one
     * @param reservable false while the cloud cannot provide it
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

    /** Notes an import with a change. */
    void changes(String about, String how) {
        changed.add(new Note(about, how));
    }

    /** Notes an omission that needs no action. */
    void leaves(String about, String why) {
        left.add(new Note(about, why));
    }

    /** Notes an obstacle: nothing is imported until an operator removes it. */
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
