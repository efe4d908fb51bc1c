package org.leasehold.command.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.inventory.Resource.Absent;
import org.leasehold.command.inventory.Resource.Description;
import org.leasehold.command.inventory.Resource.Disabled;
import org.leasehold.command.inventory.Resource.InService;
import org.leasehold.command.inventory.Resource.Retired;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.CapabilityNameValidator;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.inventory.ResourceRejection.AlreadyEnrolled;
import org.leasehold.inventory.ResourceRejection.InvalidCapability;
import org.leasehold.inventory.ResourceRejection.PropertiesReliedOn;
import org.leasehold.inventory.ResourceRejection.ResourceNotFound;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.inventory.ResourceRejection.WrongState;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Decides commands for a resource. */
final class ResourceDecider {

    private ResourceDecider() {}

    static ResourceDecision decide(
            ResourceCommand command, Resource resource, ResourceConstraints standing) {
        return switch (command) {
            case EnrolResource enrol -> enrol(enrol, resource, standing);
            case ChangeResource change ->
                    switch (resource) {
                        case InService(Description said) -> change(change, said, standing);
                        case Disabled(Description said, String _) -> change(change, said, standing);
                        case Absent _, Retired _ -> notFound(command);
                    };
            case DisableResource disable ->
                    switch (resource) {
                        case InService _ -> disable(disable, standing);
                        case Disabled(Description _, String reason) ->
                                disable.reason().equals(reason)
                                        ? noChange()
                                        : disable(disable, standing);
                        case Absent _, Retired _ -> notFound(command);
                    };
            case EnableResource enable ->
                    switch (resource) {
                        case InService _ -> noChange();
                        case Disabled _ -> accepted(new ResourceEnabled(enable.resourceId()));
                        case Absent _, Retired _ -> notFound(command);
                    };
            case ReportAttributes report ->
                    switch (resource) {
                        case InService(Description said) -> report(report, said, standing);
                        case Disabled(Description said, String _) -> report(report, said, standing);
                        case Absent _, Retired _ -> notFound(command);
                    };
            case ReportOutage report ->
                    switch (resource) {
                        case InService _ -> report(report, null, standing);
                        case Disabled(Description _, String reason) ->
                                report(report, reason, standing);
                        case Absent _, Retired _ -> notFound(command);
                    };
            case RetireResource retire ->
                    switch (resource) {
                        case InService _, Disabled _ -> retire(retire, standing);
                        case Absent _, Retired _ -> notFound(command);
                    };
        };
    }

    private static ResourceDecision enrol(
            EnrolResource command, Resource resource, ResourceConstraints standing) {
        return switch (resource) {
            case Absent _ -> enrol(command, standing);
            case InService _, Disabled _ -> alreadyEnrolled(command);
            case Retired _ -> rejected(new WrongState(command.resourceId(), "retired", "enrol"));
        };
    }

    private static ResourceDecision enrol(EnrolResource command, ResourceConstraints standing) {
        Optional<InvalidCapability> invalid =
                CapabilityNameValidator.firstInvalid(
                                command.capabilities().keySet(), command.attributes().keySet())
                        .or(() -> CapabilityNameValidator.firstAmbiguous(command.capabilities()));
        if (invalid.isPresent()) {
            return rejected(invalid.get());
        }
        if (standing.nameTaken()) {
            return alreadyEnrolled(command);
        }
        return accepted(
                new ResourceEnrolled(
                        command.resourceId(),
                        command.kind(),
                        command.name(),
                        command.region(),
                        command.zone(),
                        command.attributes(),
                        CapabilityNameValidator.withPlainNames(command.capabilities())));
    }

    private static ResourceDecision change(
            ChangeResource command, Description said, ResourceConstraints standing) {
        Optional<InvalidCapability> invalid =
                CapabilityNameValidator.firstInvalid(command.set().keySet(), cloudAttributes(said))
                        .or(() -> CapabilityNameValidator.firstAmbiguous(command.set()))
                        .or(() -> findSetAndRemoved(command));
        if (invalid.isPresent()) {
            return rejected(invalid.get());
        }
        ResourceChanged change = differences(command, said.capabilities());
        Set<String> touched = new TreeSet<>(change.set().keySet());
        touched.addAll(change.removed());
        if (touched.isEmpty()) {
            return noChange();
        }
        Set<String> reliedOn = new TreeSet<>();
        standing.reliances().forEach(each -> reliedOn.addAll(reliedProperties(each, touched)));
        return reliedOn.isEmpty()
                ? accepted(change)
                : rejected(
                        new PropertiesReliedOn(
                                command.resourceId(), reliedOn, affected(touched, standing)));
    }

    /** Returns the cloud's attributes, without names that were already capabilities. */
    private static Set<String> cloudAttributes(Description said) {
        Set<String> names = new TreeSet<>(said.attributes().keySet());
        names.removeAll(said.capabilities().keySet());
        return names;
    }

    private static Optional<InvalidCapability> findSetAndRemoved(ChangeResource command) {
        Set<String> removed = plainNames(command.removed());
        return command.set().keySet().stream()
                .filter(name -> removed.contains(PropertyName.withoutScope(name)))
                .findFirst()
                .map(
                        name ->
                                new InvalidCapability(
                                        name, "Extra capability key is both set and removed"));
    }

    private static ResourceChanged differences(
            ChangeResource command, Map<String, String> capabilities) {
        Map<String, String> set =
                new TreeMap<>(CapabilityNameValidator.withPlainNames(command.set()));
        set.entrySet()
                .removeIf(
                        entry ->
                                Objects.equals(capabilities.get(entry.getKey()), entry.getValue()));
        Set<String> removed = plainNames(command.removed());
        removed.retainAll(capabilities.keySet());
        return new ResourceChanged(command.resourceId(), set, removed);
    }

    /**
     * Returns the given properties that the lease relies on. A new property counts too: a
     * reservation may have chosen the resource because it lacked the property.
     */
    private static Set<String> reliedProperties(Reliance reliance, Set<String> properties) {
        Set<String> both = plainNames(reliance.properties());
        both.retainAll(properties);
        return both;
    }

    /** Returns the leases that rely on any of these properties. */
    private static List<LeaseId> affected(Set<String> properties, ResourceConstraints standing) {
        return standing.reliances().stream()
                .filter(reliance -> !reliedProperties(reliance, properties).isEmpty())
                .map(Reliance::lease)
                .distinct()
                .toList();
    }

    private static ResourceDecision disable(DisableResource command, ResourceConstraints standing) {
        return accepted(
                new ResourceDisabled(command.resourceId(), command.reason(), standing.leases()));
    }

    /**
     * @param disabled the reason why it is out of service already; null if it is in service
     */
    private static ResourceDecision report(
            ReportOutage command, @Nullable String disabled, ResourceConstraints standing) {
        if (!command.changes(disabled)) {
            return noChange();
        }
        @Nullable Outage outage = command.outage();
        return outage == null
                ? accepted(new ResourceEnabled(command.resourceId()))
                : accepted(
                        new ResourceDisabled(
                                command.resourceId(),
                                Objects.requireNonNull(command.reason()),
                                standing.leases(),
                                outage.extent()));
    }

    /** Accepts every report as a fact. A capability of the same name overrides it. */
    private static ResourceDecision report(
            ReportAttributes command, Description said, ResourceConstraints standing) {
        Set<String> different = command.differences(said.region(), said.zone(), said.attributes());
        if (different.isEmpty()) {
            return noChange();
        }
        different.removeAll(said.capabilities().keySet());
        return accepted(
                new ResourceDescribed(
                        command.resourceId(),
                        command.region(),
                        command.zone(),
                        command.attributes(),
                        affected(different, standing)));
    }

    private static ResourceDecision retire(RetireResource command, ResourceConstraints standing) {
        return standing.reliances().isEmpty()
                ? accepted(new ResourceRetired(command.resourceId()))
                : rejected(new ResourceReserved(command.resourceId(), standing.leases()));
    }

    private static Set<String> plainNames(Set<String> names) {
        return names.stream()
                .map(PropertyName::withoutScope)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static ResourceDecision alreadyEnrolled(EnrolResource command) {
        return rejected(new AlreadyEnrolled(command.kind(), command.name()));
    }

    private static ResourceDecision notFound(ResourceCommand command) {
        return rejected(new ResourceNotFound(command.resourceId()));
    }

    private static ResourceDecision rejected(ResourceRejection rejection) {
        return new Rejected(rejection);
    }

    private static ResourceDecision noChange() {
        return new Accepted(List.of());
    }

    private static ResourceDecision accepted(ResourceEvent event) {
        return new Accepted(List.of(event));
    }
}
