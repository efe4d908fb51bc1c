package org.leasehold.runtime;

import org.leasehold.gateway.api.ApiUnderTest;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The whole product on its embedded PostgreSQL; its users' passwords are their names. */
@TestComponent
final class ProductApi implements ApiUnderTest {

    static final String USERS = "classpath:/org/leasehold/gateway/api/users.properties";

    /** Plans by which a host costs 1.00 a second, 2.00 once, and 0.50 for the reservation. */
    static final String PLANS =
            "leasehold.rating.plans=src/test/resources/org/leasehold/runtime/plans.json";

    /** The lock of the tests that share one product. */
    static final String SHARED = "the shared product";

    private static final int SIMULATED_HOSTS = 20;
    private static final String SIMULATED_NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";

    private final JdbcClient jdbc;
    private final Resources resources;
    private final Clock clock;
    private final Environment environment;

    @Autowired
    ProductApi(JdbcClient jdbc, Resources resources, Clock clock, Environment environment) {
        this.jdbc = jdbc;
        this.resources = resources;
        this.clock = clock;
        this.environment = environment;
    }

    @Override
    public URI address() {
        return URI.create("http://127.0.0.1:" + environment.getProperty("local.server.port"));
    }

    @Override
    public String authorization(String user) {
        return "Basic "
                + Base64.getEncoder()
                        .encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public long lastPosition() {
        return jdbc.sql("SELECT coalesce(max(position), 0) FROM domain_event")
                .query(Long.class)
                .single();
    }

    @Override
    public long eventsOf(String requestId, long after) {
        return jdbc.sql(
                        """
                        SELECT count(*) FROM domain_event
                        WHERE position > ? AND metadata ->> 'requestId' = ?
                        """)
                .params(after, requestId)
                .query(Long.class)
                .single();
    }

    @Override
    public String enrollableHost() {
        Set<String> enrolled =
                resources.list(ResourceKind.PHYSICAL_HOST).stream()
                        .map(ResourceView::name)
                        .collect(Collectors.toSet());
        return IntStream.rangeClosed(1, SIMULATED_HOSTS)
                .mapToObj(number -> "compute-" + number)
                .filter(name -> !enrolled.contains(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String enrollableFloatingIp() {
        Set<String> enrolled =
                resources.list(ResourceKind.FLOATING_IP).stream()
                        .map(ResourceView::name)
                        .collect(Collectors.toSet());
        return IntStream.rangeClosed(200, 254)
                .mapToObj(number -> SIMULATED_NETWORK + "/203.0.113." + number)
                .filter(name -> !enrolled.contains(name))
                .findFirst()
                .orElseThrow();
    }
}
