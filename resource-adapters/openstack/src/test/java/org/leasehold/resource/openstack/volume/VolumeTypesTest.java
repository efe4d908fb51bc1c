package org.leasehold.resource.openstack.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Survey;

import java.util.List;
import java.util.Map;

/** The capacity of volume types, and the survey of volumes. */
class VolumeTypesTest extends OpenStackVolumesFixture {

    @Test
    void the_free_capacity_of_a_type_is_that_of_the_largest_pool() {
        cinder.pool("gold-backend", Map.of("total_capacity_gb", 5000, "free_capacity_gb", 4000));
        assertThat(room("gold")).isEqualTo(4000L);
        assertThat(room("silver")).isEqualTo(1000L);
        cinder.type("anywhere", "");
        assertThat(room("anywhere")).isEqualTo(4000L);
    }

    @ParameterizedTest
    @CsvSource({
        // total, free, provisioned, reserved, room
        "1000, 1000, 0, 0, 1000",
        "1000, 400, 100, 0, 400",
        "1000, 900, 700, 0, 300",
        "1000, 900, 700, 10, 200",
        "1000, 900, 5000, 0, 0",
        "95.9, 95.9, 0, 5, 91",
    })
    void the_free_capacity_of_a_pool_excludes_used_and_provisioned_space(
            String total, String free, String provisioned, String reserved, long room) {
        cinder.clearPools();
        cinder.pool(
                "gold-backend",
                Map.of(
                        "total_capacity_gb", total,
                        "free_capacity_gb", free,
                        "provisioned_capacity_gb", provisioned,
                        "reserved_percentage", reserved,
                        "thin_provisioning_support", true,
                        "max_over_subscription_ratio", "20.0"));
        assertThat(room("gold")).isEqualTo(room);
    }

    @Test
    void a_volume_type_without_known_capacity_cannot_be_leased() {
        cinder.clearPools();
        assertThat(acting.discover("gold")).isInstanceOf(Discovery.Unfit.class);
        cinder.pool(
                "gold-backend",
                Map.of("total_capacity_gb", "infinite", "free_capacity_gb", "unknown"));
        assertThat(acting.discover("gold"))
                .isEqualTo(
                        new Discovery.Unfit(
                                "No pool of the volume type gold says how much room it has"));
        assertThat(acting.discover("lead")).isEqualTo(new Discovery.NotFound());
    }

    private @Nullable Object room(String type) {
        return ((Discovery.Found) acting.discover(type)).attributes().get("VOLUME_GB");
    }

    @Test
    void a_survey_finds_volumes_with_a_valid_reservation_tag() {
        for (int i = 0; i < 5; i++) {
            cinder.volume("gold", i + 1, "p2");
        }
        cinder.volume("gold", 1, "p2").metadata.put(MARK, "of a table");
        assertDone(start(wish()));

        assertThat(acting.survey())
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        RESERVATION,
                                        List.of("volume/gold 20 GiB reservation:" + RESERVATION))));
    }

    @Test
    void a_survey_goes_on_when_a_volume_is_deleted_while_it_reads() {
        assertDone(start(wish()));
        cinder.flee(cinder.volume("gold", 1, "p2"));
        cinder.volume("gold", 1, "p2");

        assertThat(acting.survey()).isInstanceOf(Survey.Seen.class);

        assertThat(cinder.volumes()).hasSize(2);
    }
}
