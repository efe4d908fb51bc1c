package org.leasehold.gateway.api.usage;

import static java.util.stream.Collectors.toSet;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.usage.UsageResponses.UsageLine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The names in lines of usage, queried once for a page. */
final class UsageLabels {

    private UsageLabels() {}

    static List<UsageLine> of(
            List<Usage> found, List<String> by, @Nullable Long asOf, Labels labels) {
        Map<LeaseId, LeaseLabel> leases =
                labels.leases(
                        found.stream()
                                .map(usage -> valueOf(usage, by, Usages.BY_LEASE))
                                .filter(Objects::nonNull)
                                .map(LeaseId::of)
                                .collect(toSet()),
                        asOf);
        Map<ResourceId, ResourceLabel> resources =
                labels.resources(
                        found.stream()
                                .map(usage -> valueOf(usage, by, Usages.BY_RESOURCE))
                                .filter(Objects::nonNull)
                                .map(UsageLabels::resource)
                                .collect(toSet()));
        return found.stream()
                .map(
                        usage -> {
                            String lease = valueOf(usage, by, Usages.BY_LEASE);
                            String resource = valueOf(usage, by, Usages.BY_RESOURCE);
                            return UsageLine.of(
                                    usage,
                                    by.size(),
                                    lease == null ? null : leases.get(LeaseId.of(lease)),
                                    resource == null ? null : resources.get(resource(resource)));
                        })
                .toList();
    }

    /** Returns the value of a dimension; null if the query is not split by it. */
    private static @Nullable String valueOf(Usage usage, List<String> by, String dimension) {
        return switch (by.indexOf(dimension)) {
            case 0 -> usage.value();
            case 1 -> usage.other();
            default -> null;
        };
    }

    private static ResourceId resource(String value) {
        return new ResourceId(Long.parseLong(value));
    }
}
