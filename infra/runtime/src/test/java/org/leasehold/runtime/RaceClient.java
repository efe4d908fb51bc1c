package org.leasehold.runtime;

import org.leasehold.runtime.Client.Answer;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/** Creates leases with random windows, changes and deletes some, as fast as possible. */
final class RaceClient implements Callable<RaceClient.Tally> {

    private static final int MAX_HOSTS = 4;
    private static final int LONGEST_MINUTES = 360;
    private static final List<String> FILTERS =
            List.of(
                    "",
                    "",
                    "[\">=\", \"$vcpus\", \"32\"]",
                    "[\"==\", \"$rack\", \"1\"]",
                    "[\"and\", [\"<\", \"$vcpus\", \"32\"], [\"!=\", \"$rack\", \"2\"]]");

    /** The average of the most hosts of a request, times the average length of its window. */
    static final int AVERAGE_HOST_MINUTES = (1 + MAX_HOSTS) * (1 + LONGEST_MINUTES) / 4;

    private final Client http;
    private final InstantSource clock;
    private final SplittableRandom random;
    private final int horizonMinutes;
    private final int creates;
    private final Tally tally = new Tally();

    /** Leases of this client, which no other client touches. */
    private final List<JsonNode> ownLeases = new ArrayList<>();

    RaceClient(
            Client http,
            InstantSource clock,
            SplittableRandom random,
            int horizonMinutes,
            int creates) {
        this.http = http;
        this.clock = clock;
        this.random = random;
        this.horizonMinutes = horizonMinutes;
        this.creates = creates;
    }

    @Override
    public Tally call() {
        for (int n = 0; n < creates; n++) {
            create();
            if (!ownLeases.isEmpty() && random.nextInt(4) == 0) {
                change(random.nextInt(ownLeases.size()));
            }
            if (!ownLeases.isEmpty() && random.nextInt(8) == 0) {
                delete(ownLeases.remove(random.nextInt(ownLeases.size())));
            }
        }
        return tally;
    }

    private void create() {
        boolean atOnce = random.nextInt(5) == 0;
        Instant start =
                atOnce
                        ? clock.instant()
                        : clock.instant()
                                .plus(Duration.ofMinutes(2 + random.nextInt(horizonMinutes)));
        Instant end = start.plus(Duration.ofMinutes(2 + random.nextInt(LONGEST_MINUTES)));
        List<Map<String, Object>> reservations = new ArrayList<>();
        reservations.add(reservation());
        if (random.nextInt(6) == 0) {
            reservations.add(reservation());
        }
        Answer answer =
                http.post(
                        "/v1/leases",
                        Map.of(
                                "name",
                                "race",
                                "start_date",
                                atOnce ? "now" : DemoProject.minute(start),
                                "end_date",
                                DemoProject.minute(end),
                                "reservations",
                                reservations));
        switch (answer.status()) {
            case 201 -> {
                tally.created++;
                ownLeases.add(answer.body().path("lease"));
            }
            case 409 -> tally.refused++;
            default -> tally.faults.add(answer.toString());
        }
    }

    private Map<String, Object> reservation() {
        int max = 1 + random.nextInt(MAX_HOSTS);
        int min = random.nextBoolean() ? max : 1 + random.nextInt(max);
        return DemoProject.hosts(min, max, FILTERS.get(random.nextInt(FILTERS.size())));
    }

    private void change(int index) {
        JsonNode lease = ownLeases.get(index);
        Instant start = Instant.parse(lease.path("start_date").asString() + "Z");
        Instant end = Instant.parse(lease.path("end_date").asString() + "Z");
        Map<String, Object> change = new LinkedHashMap<>();
        switch (random.nextInt(4)) {
            case 0 -> change.put("end_date", DemoProject.minute(end.plus(minutes())));
            case 1 -> change.put("reservations", List.of(resized(lease)));
            case 2 -> {
                change.put("end_date", DemoProject.minute(end.plus(minutes())));
                change.put("reservations", List.of(resized(lease)));
            }
            default -> {
                Duration later = minutes();
                change.put("start_date", DemoProject.minute(start.plus(later)));
                change.put("end_date", DemoProject.minute(end.plus(later)));
            }
        }
        Answer answer = http.put("/v1/leases/" + lease.path("id").asString(), change);
        switch (answer.status()) {
            case 200 -> {
                tally.changed++;
                ownLeases.set(index, answer.body().path("lease"));
            }
            case 409 -> {
                if (answer.text().contains("ot enough hosts available")) {
                    tally.changesRefused++;
                }
            }
            // It has begun in the meantime.
            case 400 -> tally.changesRejected++;
            default -> tally.faults.add(answer.toString());
        }
    }

    private Duration minutes() {
        return Duration.ofMinutes(1 + random.nextInt(120));
    }

    private Map<String, Object> resized(JsonNode lease) {
        int hosts = 1 + random.nextInt(MAX_HOSTS);
        return Map.of(
                "id",
                lease.path("reservations").path(0).path("id").asString(),
                "min",
                hosts,
                "max",
                hosts);
    }

    private void delete(JsonNode lease) {
        Answer answer = http.delete("/v1/leases/" + lease.path("id").asString());
        if (answer.status() == 204) {
            tally.deleted++;
        } else {
            tally.faults.add(answer.toString());
        }
    }

    /** The counts of results. */
    static final class Tally {

        private final List<String> faults = new ArrayList<>();
        private int created;
        private int refused;
        private int changed;
        private int changesRefused;
        private int changesRejected;
        private int deleted;

        static Tally sum(List<Tally> tallies) {
            Tally sum = new Tally();
            for (Tally tally : tallies) {
                sum.faults.addAll(tally.faults);
                sum.created += tally.created;
                sum.refused += tally.refused;
                sum.changed += tally.changed;
                sum.changesRefused += tally.changesRefused;
                sum.changesRejected += tally.changesRejected;
                sum.deleted += tally.deleted;
            }
            return sum;
        }

        List<String> faults() {
            return faults;
        }

        int created() {
            return created;
        }

        int refused() {
            return refused;
        }

        int changed() {
            return changed;
        }

        int changesRefused() {
            return changesRefused;
        }

        int deleted() {
            return deleted;
        }

        @Override
        public String toString() {
            return "%s created, %s refused, %s changed, %s changes refused, %s rejected, %s deleted"
                    .formatted(created, refused, changed, changesRefused, changesRejected, deleted);
        }
    }
}
