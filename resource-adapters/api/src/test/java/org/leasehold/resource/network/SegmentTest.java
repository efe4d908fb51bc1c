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
    void a_segment_is_found_by_name(String name) {
        assertThat(Segment.fromName(name).map(Segment::name)).contains(name);
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
    void a_malformed_segment_name_gets_an_explanation(String name) {
        assertThat(Segment.fromName(name)).isEmpty();
        assertThat(Segment.invalidName(name))
                .isEqualTo(
                        new Discovery.Unfit(
                                "The name of a segment is vlan/<physical network>/<1 to 4094> or"
                                        + " vxlan/-/<1 to 16777215>, not "
                                        + name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "flat/physnet1/1", "VLAN/physnet1/1", "gre/-/7"})
    void a_name_of_another_form_is_not_found(String name) {
        assertThat(Segment.fromName(name)).isEmpty();
        assertThat(Segment.invalidName(name)).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void the_attributes_of_a_segment_are_the_parts_of_the_name() {
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
