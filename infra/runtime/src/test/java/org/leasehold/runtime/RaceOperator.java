package org.leasehold.runtime;

import org.leasehold.runtime.Client.Answer;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Disables and enables hosts, and moves them between racks, while clients lease them. */
final class RaceOperator {

    private final Client http;
    private final List<String> hosts;
    private final SplittableRandom random;

    RaceOperator(Client http, SplittableRandom random) {
        this.http = http;
        this.random = random;
        this.hosts =
                http.get("/v1/os-hosts")
                        .expect(200)
                        .path("hosts")
                        .valueStream()
                        .map(host -> host.path("id").asString())
                        .toList();
    }

    /** Returns the number of hosts that were out of service for a while. */
    int operateUntil(BooleanSupplier over) {
        int disabled = 0;
        while (!over.getAsBoolean()) {
            String host = "/api/resources/" + hosts.get(random.nextInt(hosts.size()));
            http.post(host + "/disable", Map.of("reason", "maintenance")).expect(200);
            move("/api/resources/" + hosts.get(random.nextInt(hosts.size())));
            http.post(host + "/enable", Map.of()).expect(200);
            disabled++;
        }
        return disabled;
    }

    private void move(String host) {
        String rack = Integer.toString(random.nextInt(3));
        Answer answer = http.patch(host, Map.of("set", Map.of("rack", rack)));
        // A lease that needs the rack prevents the move.
        if (answer.status() != 409) {
            answer.expect(200);
        }
    }
}
