package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.resource.host.HostPlanning;

import java.math.BigDecimal;
import java.util.Objects;

/** Compares the file of Blazar's API with the plug-ins. Those of our API describe themselves. */
class DescriptionFileTest {

    private static final OpenAPI BLAZAR = DescriptionFile.read("blazar.yaml");

    @ParameterizedTest
    @CsvSource({"min", "max"})
    void a_reservation_has_at_most_the_hosts_of_the_plug_in(String field) {
        BigDecimal max = BigDecimal.valueOf(HostPlanning.MAX_HOSTS);
        assertThat(field(BLAZAR, "BlazarNewReservation", field).getMaximum()).isEqualTo(max);
        assertThat(field(BLAZAR, "BlazarReservationChange", field).getMaximum()).isEqualTo(max);
    }

    private static Schema<?> field(OpenAPI file, String message, String field) {
        Schema<?> schema = file.getComponents().getSchemas().get(message);
        return Objects.requireNonNull(schema.getProperties().get(field), field);
    }
}
