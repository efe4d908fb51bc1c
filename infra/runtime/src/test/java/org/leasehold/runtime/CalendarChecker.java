package org.leasehold.runtime;

import org.leasehold.calendar.Demand;
import org.leasehold.resource.simulator.SimulatedCloud;
import org.leasehold.resource.simulator.SimulatedCloud.Effect;
import org.leasehold.runtime.Book.Possession;
import org.leasehold.runtime.Book.Reservation;
import org.leasehold.runtime.Book.Resource;
import org.leasehold.runtime.Book.Window;
import org.leasehold.runtime.History.Event;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads nothing but the events, and the simulated cloud. At no instant may a resource be promised
 * or given twice, and whoever was refused must have been refused for a reason: at the position that
 * the refusal names, what was free would not have done.
 */
final class CalendarChecker {

    private final Duration cleaning;
    private final Book book = new Book();
    private int refusals;

    private CalendarChecker(Duration cleaning) {
        this.cleaning = cleaning;
    }

    static Report check(List<Event> events, Duration cleaning) {
        CalendarChecker checker = new CalendarChecker(cleaning);
        checker.replay(events);
        return new Report(checker.book, checker.refusals);
    }

    private void replay(List<Event> events) {
        ArrayDeque<Event> refused =
                events.stream()
                        .filter(e -> e.payload().has("shortages"))
                        .sorted(Comparator.comparingLong(CalendarChecker::asOf))
                        .collect(Collectors.toCollection(ArrayDeque::new));
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            boolean begins = i == 0 || !event.isTogetherWith(events.get(i - 1));
            if (begins && i > 0) {
                book.checkPromises(events.get(i - 1));
            }
            while (!refused.isEmpty() && asOf(refused.getFirst()) < event.position()) {
                Event refusal = refused.removeFirst();
                if (!begins) {
                    book.complain(refusal, "its position is in the middle of a transaction");
                }
                judge(refusal);
            }
            book.apply(event);
        }
        if (!events.isEmpty()) {
            book.checkPromises(events.getLast());
        }
        refused.forEach(r -> book.complain(r, "it names a position that is not before it"));
    }

    private static long asOf(Event refusal) {
        return refusal.payload().path("asOf").asLong();
    }

    private void judge(Event refusal) {
        refusals++;
        if (asOf(refusal) >= refusal.position()) {
            book.complain(refusal, "it names a position that is not before it");
        }
        JsonNode payload = refusal.payload();
        Window window =
                Window.of(payload.path("period")).from(refusal.decidedAt()).andThen(cleaning);
        Set<String> own =
                payload.path("reservations")
                        .valueStream()
                        .map(wish -> wish.path("id").asString())
                        .collect(Collectors.toSet());
        List<Seeker> seekers = new ArrayList<>();
        for (JsonNode wish : payload.path("reservations")) {
            Demand demand = Book.demand(wish.path("kind").asString(), wish.path("parameters"));
            Reservation present = book.reservations.get(wish.path("id").asString());
            Seeker seeker =
                    present == null || book.heldBy(present.id).isEmpty()
                            ? planned(wish.path("kind").asString(), demand, window, own)
                            : running(present, demand, window, own);
            seekers.add(seeker);
        }
        if (seekers.stream().noneMatch(Seeker::lacksWhatItHas) && canAllBeServed(seekers)) {
            book.complain(
                    refusal, "refused without need as of %d: %s".formatted(asOf(refusal), seekers));
        }
    }

    private Seeker planned(String kind, Demand demand, Window window, Set<String> own) {
        return new Seeker(demand.minimum(), Set.of(), free(kind, demand, window, own), false);
    }

    /** What a project's servers run on cannot be exchanged: it stays, or the change is refused. */
    private Seeker running(Reservation present, Demand demand, Window window, Set<String> own) {
        Set<Long> fitting = new HashSet<>(present.resources);
        fitting.removeIf(id -> !demand.requirement().isMetBy(properties(id)));
        Set<Long> staying = new HashSet<>(fitting);
        staying.removeIf(id -> !stays(present, id, window, own));
        boolean sameWish = demand.equals(Book.demand(present.kind, present.parameters));
        int wanted = sameWish ? fitting.size() : Math.min(fitting.size(), demand.maximum());
        Set<Long> joining = free(present.kind, demand, window, own);
        joining.removeAll(present.resources);
        joining.removeAll(book.holders.keySet());
        return new Seeker(
                Math.max(0, demand.minimum() - staying.size()),
                staying,
                joining,
                staying.size() < wanted);
    }

    private boolean stays(Reservation present, long id, Window window, Set<String> own) {
        Window promised = book.claims.getOrDefault(id, Map.of()).get(present.id);
        Resource resource = book.resources.get(id);
        return isFree(id, window, own)
                && ((resource != null && resource.enabled)
                        || (promised != null && promised.contains(window)));
    }

    private Map<String, String> properties(long id) {
        Resource resource = book.resources.get(id);
        return resource == null ? Map.of() : resource.properties;
    }

    private Set<Long> free(String kind, Demand demand, Window window, Set<String> own) {
        Set<Long> free = new HashSet<>();
        book.resources.forEach(
                (id, resource) -> {
                    if (resource.enabled
                            && resource.kind.equals(kind)
                            && demand.requirement().isMetBy(resource.properties)
                            && isFree(id, window, own)) {
                        free.add(id);
                    }
                });
        return free;
    }

    private boolean isFree(long resource, Window window, Set<String> own) {
        return book.claims.getOrDefault(resource, Map.of()).entrySet().stream()
                .filter(claim -> !own.contains(claim.getKey()))
                .noneMatch(claim -> claim.getValue().overlaps(window));
    }

    /** Each needs so many of its options, nobody the same: a matching, by augmenting paths. */
    private static boolean canAllBeServed(List<Seeker> seekers) {
        Set<Long> fixed = new HashSet<>();
        seekers.forEach(seeker -> fixed.addAll(seeker.staying()));
        Map<Long, Integer> takenBy = new HashMap<>();
        for (int i = 0; i < seekers.size(); i++) {
            for (int n = 0; n < seekers.get(i).needed(); n++) {
                if (!augment(seekers, i, fixed, takenBy, new HashSet<>())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean augment(
            List<Seeker> seekers,
            int seeker,
            Set<Long> fixed,
            Map<Long, Integer> takenBy,
            Set<Long> visited) {
        for (long option : seekers.get(seeker).options()) {
            if (fixed.contains(option) || !visited.add(option)) {
                continue;
            }
            Integer present = takenBy.get(option);
            if (present == null
                    || (present != seeker && augment(seekers, present, fixed, takenBy, visited))) {
                takenBy.put(option, seeker);
                return true;
            }
        }
        return false;
    }

    /**
     * A reservation that wants something.
     *
     * @param needed how many of the options it needs
     * @param lacksWhatItHas whether it cannot keep what it runs on
     */
    private record Seeker(
            int needed, Set<Long> staying, Set<Long> options, boolean lacksWhatItHas) {}

    /** What the events say. */
    record Report(Book book, int refusals) {

        List<String> complaints() {
            return book.complaints;
        }

        /** Compares with a cloud in which nothing is under way. */
        List<String> compare(SimulatedCloud cloud) {
            List<String> differences = new ArrayList<>();
            Map<String, Set<String>> expected = new TreeMap<>();
            book.holders.forEach(
                    (id, holder) ->
                            expected.computeIfAbsent(holder, ignored -> new HashSet<>())
                                    .add(name(id)));
            Map<String, Set<String>> found = new TreeMap<>();
            cloud.aggregates().stream()
                    .filter(aggregate -> !aggregate.name().equals("freepool"))
                    .forEach(a -> found.put(a.name(), new HashSet<>(a.hosts())));
            if (!expected.equals(found)) {
                differences.add("the cloud has " + found + ", the events " + expected);
            }
            cloud.effects().stream()
                    .filter(effect -> effect.operation().equals("add_host"))
                    .filter(effect -> !isEntitled(effect))
                    .forEach(effect -> differences.add("given to whom it was not due: " + effect));
            return differences;
        }

        private boolean isEntitled(Effect effect) {
            return book.possessions.stream()
                    .filter(p -> name(p.resource()).equals(effect.host()))
                    .filter(p -> p.reservation().equals(String.valueOf(effect.reservation())))
                    .anyMatch(p -> isDuring(effect, p));
        }

        private static boolean isDuring(Effect effect, Possession possession) {
            return !effect.at().isBefore(possession.from())
                    && effect.at().isBefore(possession.until());
        }

        private String name(long resource) {
            Resource known = book.resources.get(resource);
            return known == null ? "unknown " + resource : known.name;
        }
    }
}
