package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.parameter.ParameterKeyword;
import org.leasehold.resource.server.ServerEndAction;
import org.leasehold.resource.server.ServerStartAction;
import org.leasehold.resource.stack.StackEndAction;
import org.leasehold.resource.volume.VolumeEndAction;
import org.leasehold.resource.volume.VolumePlanning;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/** Compares the files with the plug-ins, which define the parameters of a reservation. */
class DescriptionFileTest {

    private static final OpenAPI API = DescriptionFile.read("api.yaml");
    private static final OpenAPI BLAZAR = DescriptionFile.read("blazar.yaml");

    @ParameterizedTest
    @CsvSource({"min", "max"})
    void a_reservation_has_at_most_the_hosts_of_the_plug_in(String field) {
        BigDecimal max = BigDecimal.valueOf(HostPlanning.MAX_HOSTS);
        assertThat(field(API, "PhysicalHostParameters", field).getMaximum()).isEqualTo(max);
        assertThat(field(API, "PhysicalHostParameterChanges", field).getMaximum()).isEqualTo(max);
        assertThat(field(BLAZAR, "BlazarNewReservation", field).getMaximum()).isEqualTo(max);
        assertThat(field(BLAZAR, "BlazarReservationChange", field).getMaximum()).isEqualTo(max);
    }

    @ParameterizedTest
    @CsvSource({
        "VirtualInstance, vcpus, " + InstancePlanning.MAX_SIZE,
        "VirtualInstance, memory_mb, " + InstancePlanning.MAX_SIZE,
        "VirtualInstance, disk_gb, " + InstancePlanning.MAX_SIZE,
        "VirtualInstance, amount, " + InstancePlanning.MAX_SLOTS,
        "FlavorInstance, amount, " + InstancePlanning.MAX_SLOTS,
        "VirtualVolume, size, " + VolumePlanning.MAX_SIZE_GIB
    })
    void a_number_has_the_maximum_of_the_plug_in(String kind, String field, BigDecimal max) {
        assertThat(field(API, kind + "Parameters", field).getMaximum()).isEqualTo(max);
        assertThat(field(API, kind + "ParameterChanges", field).getMaximum()).isEqualTo(max);
    }

    @ParameterizedTest
    @CsvSource({
        "VirtualNetwork, network_name, " + NetworkPlanning.MAX_TEXT_LENGTH,
        "VirtualNetwork, network_description, " + NetworkPlanning.MAX_TEXT_LENGTH,
        "VirtualVolume, volume_type, " + VolumePlanning.MAX_TEXT_LENGTH,
        "VirtualVolume, name, " + VolumePlanning.MAX_TEXT_LENGTH,
        "VirtualVolume, description, " + VolumePlanning.MAX_TEXT_LENGTH
    })
    void a_text_has_the_maximum_length_of_the_plug_in(String kind, String field, int max) {
        assertThat(field(API, kind + "Parameters", field).getMaxLength()).isEqualTo(max);
        assertThat(field(API, kind + "ParameterChanges", field).getMaxLength()).isEqualTo(max);
    }

    @Test
    void an_action_has_the_words_of_the_plug_in() {
        assertWords("VirtualVolume", "on_end", ParameterKeyword.all(VolumeEndAction.class));
        assertWords("VirtualServer", "on_start", ParameterKeyword.all(ServerStartAction.class));
        assertWords("VirtualServer", "on_end", ParameterKeyword.all(ServerEndAction.class));
        assertWords("VirtualStack", "on_end", ParameterKeyword.all(StackEndAction.class));
    }

    private static void assertWords(String kind, String field, List<String> words) {
        assertThat((Object) field(API, kind + "Parameters", field).getEnum()).isEqualTo(words);
        assertThat((Object) field(API, kind + "ParameterChanges", field).getEnum())
                .isEqualTo(words);
    }

    private static Schema<?> field(OpenAPI file, String message, String field) {
        Schema<?> schema = file.getComponents().getSchemas().get(message);
        return Objects.requireNonNull(schema.getProperties().get(field), field);
    }
}
