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
final class ImportPlan {

    /** Resources in the order of their enrolment. */
    private final Map<String, Newcomer> resources = new LinkedHashMap<>();

    private final List<PropertyVisibility> hidden = new ArrayList<>();
    private final List<ImportableLease> leases = new ArrayList<>();
    private final List<ImportMessage> changed = new ArrayList<>();
    private final List<ImportMessage> omissions = new ArrayList<>();
    private final List<ImportMessage> obstacles = new ArrayList<>();

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

    void add(ImportableLease lease) {
        leases.add(lease);
    }

    void addHidden(PropertyVisibility property) {
        hidden.add(property);
    }

    /** Notes an import with a change. */
    void addChange(String about, String how) {
        changed.add(new ImportMessage(about, how));
    }

    /** Notes an omission that needs no action. */
    void addOmission(String about, String why) {
        omissions.add(new ImportMessage(about, why));
    }

    /** Notes an obstacle: nothing is imported until an operator removes it. */
    void addObstacle(String about, String why) {
        obstacles.add(new ImportMessage(about, why));
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

    List<ImportableLease> leases() {
        return Collections.unmodifiableList(leases);
    }

    List<ImportMessage> changed() {
        return Collections.unmodifiableList(changed);
    }

    List<ImportMessage> omissions() {
        return Collections.unmodifiableList(omissions);
    }

    List<ImportMessage> obstacles() {
        return Collections.unmodifiableList(obstacles);
    }
}
