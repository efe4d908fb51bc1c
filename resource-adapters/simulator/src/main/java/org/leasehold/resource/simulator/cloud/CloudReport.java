package org.leasehold.resource.simulator.cloud;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Prints the simulated cloud as JSON, for scripts. Reads {@code SIMULATED_CLOUD_URL}, {@code
 * SIMULATED_CLOUD_USER} and {@code SIMULATED_CLOUD_PASSWORD} from the environment; changes nothing.
 */
public final class CloudReport {

    private CloudReport() {}

    public static void main(String[] arguments) {
        Map<String, String> environment = System.getenv();
        String url =
                Objects.requireNonNull(
                        environment.get("SIMULATED_CLOUD_URL"), "SIMULATED_CLOUD_URL is not set");
        try (SimulatedCloud cloud =
                SimulatedCloud.connect(
                        url,
                        environment.getOrDefault("SIMULATED_CLOUD_USER", "postgres"),
                        environment.getOrDefault("SIMULATED_CLOUD_PASSWORD", ""))) {
            System.out.println(of(cloud));
        }
    }

    public static String of(SimulatedCloud cloud) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("hosts", cloud.hosts());
        report.put("aggregates", cloud.aggregates());
        report.put("servers", cloud.servers());
        report.put("images", cloud.images());
        report.put("effects", cloud.effects());
        return JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(report);
    }
}
