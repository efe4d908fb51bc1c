package org.leasehold.resource.openstack.placement;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** A fake of what servers take of providers, for servers that take some of several. */
final class FakeAllocations {

    private final Map<String, Consumer> consumers = new LinkedHashMap<>();

    private record Consumer(String resourceClass, Set<String> providers, int generation) {}

    void add(String consumer, String resourceClass, Set<String> providers) {
        consumers.put(consumer, new Consumer(resourceClass, new TreeSet<>(providers), 1));
    }

    /** Returns the consumers of a provider; those of one alone by the class that they take. */
    Said ofProvider(FakeProvider provider) {
        Map<String, Object> found = new HashMap<>();
        provider.stocks.forEach(
                (name, stock) -> {
                    if (stock.used > 0) {
                        found.put("consumer of " + name, resources(name));
                    }
                });
        consumers.forEach(
                (id, consumer) -> {
                    if (consumer.providers().contains(provider.id)) {
                        found.put(id, resources(consumer.resourceClass()));
                    }
                });
        return Said.json(200, Map.of("allocations", found));
    }

    /**
     * Shows or changes what a consumer takes.
     *
     * @param giveBack called with each provider and class of which it takes no more
     */
    Said answer(Asked request, String id, BiConsumer<String, String> giveBack) {
        Consumer consumer = consumers.getOrDefault(id, new Consumer("", Set.of(), 0));
        if (request.method().equals("GET")) {
            Map<String, Object> allocations = new HashMap<>();
            consumer.providers()
                    .forEach(each -> allocations.put(each, resources(consumer.resourceClass())));
            return Said.json(
                    200,
                    Map.of(
                            "allocations",
                            allocations,
                            "project_id",
                            "project-1",
                            "user_id",
                            "user-1",
                            "consumer_generation",
                            consumer.generation()));
        }
        if (request.body().path("consumer_generation").asInt() != consumer.generation()) {
            return Said.json(409, Map.of("errors", List.of(Map.of("detail", "consumer conflict"))));
        }
        Set<String> kept = new TreeSet<>();
        request.body().path("allocations").propertyStream().forEach(e -> kept.add(e.getKey()));
        consumer.providers().stream()
                .filter(provider -> !kept.contains(provider))
                .forEach(provider -> giveBack.accept(provider, consumer.resourceClass()));
        consumers.put(id, new Consumer(consumer.resourceClass(), kept, consumer.generation() + 1));
        return Said.nothing(204);
    }

    private static Map<String, Object> resources(String resourceClass) {
        return Map.of("resources", Map.of(resourceClass, 1));
    }
}
