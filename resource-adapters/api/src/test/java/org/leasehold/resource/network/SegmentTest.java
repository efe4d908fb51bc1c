package org.leasehold.resource.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.Acting.Discovery;

import java.util.Map;

class SegmentTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vlan/physnet1/1",
                "vlan/physnet1/4094",
                "vlan/a-b.c/7",
                "vxlan/-/1",
                "vxlan/-/16777215"
            })
    void a_segment_has_one_name_and_is_found_by_it(String name) {
        assertThat(Segment.named(name).map(Segment::name)).contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vlan/physnet1/0",
                "vlan/physnet1/4095",
                "vlan/physnet1/-1",
                "vlan/physnet1/07",
                "vlan/physnet1/1.0",
                "vlan/physnet1/",
                "vlan/physnet1",
                "vlan/physnet1/1/2",
                "vlan/-/1",
                "vlan//1",
                "vlan/a b/1",
                "vlan",
                "vxlan/physnet1/1",
                "vxlan//1",
                "vxlan/-/0",
                "vxlan/-/16777216",
                "vxlan/-/99999999999"
            })
    void a_name_like_a_segments_that_is_none_is_told_what_it_must_be(String name) {
        assertThat(Segment.named(name)).isEmpty();
        assertThat(Segment.misnamed(name))
                .isEqualTo(
                        new Discovery.Unfit(
                                "The name of a segment is vlan/<physical network>/<1 to 4094> or"
                                        + " vxlan/-/<1 to 16777215>, not "
                                        + name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "flat/physnet1/1", "VLAN/physnet1/1", "gre/-/7"})
    void any_other_name_names_nothing(String name) {
        assertThat(Segment.named(name)).isEmpty();
        assertThat(Segment.misnamed(name)).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void its_parts_can_be_asked_for() {
        assertThat(Segment.of("vlan", "physnet1", "1200").orElseThrow().attributes())
                .isEqualTo(
                        Map.of(
                                "network_type",
                                "vlan",
                                "physical_network",
                                "physnet1",
                                "segment_id",
                                1200));
        assertThat(Segment.of("vxlan", "", "70000").orElseThrow().attributes())
                .isEqualTo(Map.of("network_type", "vxlan", "segment_id", 70_000));
    }
}
