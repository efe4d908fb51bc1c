package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Returns the labels of a test, and records queries of leases. */
public final class FakeLabels implements Labels {

    private final Map<LeaseId, LeaseLabel> leases = new ConcurrentHashMap<>();
    private final Map<ResourceId, ResourceLabel> resources = new ConcurrentHashMap<>();
    private final List<Set<LeaseId>> questions = new CopyOnWriteArrayList<>();

    public void add(LeaseId id, LeaseLabel label) {
        leases.put(id, label);
    }

    public void add(ResourceId id, ResourceLabel label) {
        resources.put(id, label);
    }

    public List<Set<LeaseId>> questions() {
        return questions;
    }

    public void clear() {
        leases.clear();
        resources.clear();
        questions.clear();
    }

    @Override
    public Map<LeaseId, LeaseLabel> leases(Set<LeaseId> ids, @Nullable Long asOf) {
        questions.add(ids);
        return restrict(leases, ids);
    }

    @Override
    public Map<ResourceId, ResourceLabel> resources(Set<ResourceId> ids) {
        return restrict(resources, ids);
    }

    private static <K, V> Map<K, V> restrict(Map<K, V> labels, Set<K> ids) {
        return labels.entrySet().stream()
                .filter(entry -> ids.contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
