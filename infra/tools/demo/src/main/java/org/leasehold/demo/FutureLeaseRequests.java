package org.leasehold.demo;

import org.jspecify.annotations.Nullable;
import org.leasehold.demo.WorkloadStep.Asked;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Present and future leases, requested over the API of a running engine by the users of the
 * embedded default. It skips leases that already exist by name.
 */
final class FutureLeaseRequests {

    private static final int DAYS = 60;
    private static final Duration DAY = Duration.ofDays(1);

    /** The share of a whole project's requests: one in so many. */
    private static final int SAMPLED_EVERY = 4;

    private static final Pattern LOGIN =
            Pattern.compile("username: (?<user>\\S+)\\s+password: (?<password>\\S+)");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int PAGE_SIZE = 1000;
    private static final int CREATED = 201;
    private static final int REFUSED = 409;

    /** The status for a key that was used in the last hours with other times. */
    private static final int STATUS_KEY_REUSED = 422;

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI engine;
    private final Map<String, String> passwords = new HashMap<>();

    /** Creates a client from the file in which the embedded default stores its users' passwords. */
    FutureLeaseRequests(URI engine, Path clouds) throws IOException {
        this.engine = engine;
        Matcher logins = LOGIN.matcher(Files.readString(clouds));
        while (logins.find()) {
            passwords.put(logins.group("user"), logins.group("password"));
        }
    }

    /**
     * The outcome of the requests.
     *
     * @param there the number of leases that were requested before
     */
    record Outcome(int made, int refused, int there) {}

    /** Requests leases, the same for the same hour. */
    Outcome sendAll(long seed, Instant now) throws IOException, InterruptedException {
        Workload demand = Workload.of(seed, now.plus(Duration.ofDays(DAYS)), DAYS);
        int made = 0;
        int refused = 0;
        int there = 0;
        for (Project project : Project.ALL) {
            String user = project.users().getFirst();
            if (!passwords.containsKey(user)) {
                continue;
            }
            Set<String> names = leaseNames(user);
            int number = 0;
            for (Asked asked : sample(demand, project)) {
                number++;
                String name = "ahead-%s-%s".formatted(seed, number);
                int answer =
                        names.contains(name) ? STATUS_KEY_REUSED : create(user, name, asked, now);
                switch (answer) {
                    case CREATED -> made++;
                    case REFUSED -> refused++;
                    default -> there++;
                }
            }
        }
        return new Outcome(made, refused, there);
    }

    private static List<Asked> sample(Workload demand, Project project) {
        List<Asked> sampled = new ArrayList<>();
        int number = 0;
        for (WorkloadStep happening : demand.happenings()) {
            if (happening instanceof Asked asked && asked.project().equals(project)) {
                if (number % SAMPLED_EVERY == 0) {
                    sampled.add(asked);
                }
                number++;
            }
        }
        return sampled;
    }

    private Set<String> leaseNames(String user) throws IOException, InterruptedException {
        Set<String> names = new HashSet<>();
        String path = "/api/leases?limit=" + PAGE_SIZE;
        @Nullable String marker = "";
        while (marker != null) {
            JsonNode page = JSON.readTree(send(user, request(path + marker).GET()).body());
            page.path("leases").forEach(lease -> names.add(lease.path("name").asString()));
            @Nullable String next = page.path("next").asStringOpt().orElse(null);
            marker = next == null ? null : "&marker=" + encoded(next);
        }
        return names;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Creates a lease. A lease of the first day starts now and lasts a day longer. */
    private int create(String user, String name, Asked asked, Instant now)
            throws IOException, InterruptedException {
        Map<String, Object> lease = new LinkedHashMap<>();
        lease.put("name", name);
        if (asked.start().isAfter(now.plus(DAY))) {
            lease.put("start", asked.start().toString());
            lease.put("end", asked.end().toString());
        } else {
            lease.put("end", asked.end().plus(DAY).toString());
        }
        lease.put(
                "reservations",
                asked.wishes().stream()
                        .map(
                                wish ->
                                        Map.of(
                                                "kind",
                                                wish.kind().value(),
                                                "parameters",
                                                wish.parameters()))
                        .toList());
        HttpResponse<String> answer =
                send(
                        user,
                        request("/api/leases")
                                .header("Idempotency-Key", name)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(JSON.writeValueAsString(lease))));
        int status = answer.statusCode();
        if (!Set.of(CREATED, REFUSED, STATUS_KEY_REUSED).contains(status)) {
            throw new IllegalStateException("%s: %s %s".formatted(lease, status, answer.body()));
        }
        return status;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(engine.resolve(path));
    }

    private HttpResponse<String> send(String user, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        String login = user + ":" + Objects.requireNonNull(passwords.get(user));
        String encoded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        return client.send(
                request.header("Authorization", "Basic " + encoded).build(),
                BodyHandlers.ofString());
    }
}
