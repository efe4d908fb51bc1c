package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.lease.Fault;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.instance.Flavors;
import org.leasehold.resource.instance.Flavors.Search;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.ProjectId;

import java.time.Clock;
import java.util.List;
import java.util.Map;

class NovaFlavorsTest {

    private static final ProjectId PROJECT = new ProjectId("project-1");
    private static final ProjectId OTHER = new ProjectId("project-2");
    private static final String OPEN = "os-flavor-access:is_public";

    private FakeNova nova;
    private Cloud cloud;
    private Flavors flavors;

    @BeforeEach
    void startCloud() {
        nova = new FakeNova(List.of("compute-1"));
        cloud = new Cloud(CloudSettings.of(nova.settings()), Clock.systemUTC());
        flavors = new NovaFlavors(cloud);
    }

    @AfterEach
    void stopCloud() {
        cloud.close();
        nova.close();
    }

    @Test
    void a_flavor_is_found_with_sizes_and_extra_specs() {
        nova.makeFlavor(
                        "7",
                        Map.of(
                                "name",
                                "gpu.small",
                                "vcpus",
                                4,
                                "ram",
                                8_192,
                                "disk",
                                40,
                                "OS-FLV-EXT-DATA:ephemeral",
                                10,
                                "swap",
                                512))
                .extraSpecs
                .put("resources:CUSTOM_GPU", "1");

        assertThat(flavors.find("7", PROJECT))
                .isEqualTo(
                        new Search.Found(
                                new Flavor(
                                        "7",
                                        "gpu.small",
                                        4,
                                        8_192,
                                        40,
                                        10,
                                        512,
                                        Map.of("resources:CUSTOM_GPU", "1"))));
    }

    @Test
    void a_private_flavor_is_found_only_for_projects_with_access() {
        nova.makeFlavor("own", Map.of("name", "own", "vcpus", 1, "ram", 1, "disk", 1, OPEN, false))
                .projects
                .add(PROJECT.value());

        assertThat(flavors.find("own", PROJECT)).isInstanceOf(Search.Found.class);
        assertThat(flavors.find("own", OTHER)).isEqualTo(new Search.NotFound());
        assertThat(flavors.find("none", PROJECT)).isEqualTo(new Search.NotFound());
    }

    @Test
    void a_flavor_id_is_escaped_as_one_path_segment() {
        nova.makeFlavor("m1 small", Map.of("name", "small", "vcpus", 1, "ram", 1, "disk", 1));

        assertThat(flavors.find("m1 small", PROJECT)).isInstanceOf(Search.Found.class);
        assertThat(flavors.find("m1 small/os-extra_specs", PROJECT))
                .isEqualTo(new Search.NotFound());
    }

    @ParameterizedTest
    @CsvSource({"503, RETRYABLE", "500, RETRYABLE", "403, DENIED", "406, PERMANENT"})
    void a_nova_error_makes_the_search_result_unknown(int status, Fault.Kind kind) {
        Map<String, ?> closed = Map.of("flavor", Map.of("id", "own", "name", "own", OPEN, false));
        for (String spoilt : List.of("/flavors/own", "/flavors/own/os-flavor-access")) {
            try (FakeOpenStack small = new FakeOpenStack(Clock.systemUTC());
                    Cloud spoiling =
                            new Cloud(CloudSettings.of(small.settings()), Clock.systemUTC())) {
                small.answer(
                        "compute",
                        request ->
                                request.path().equals(spoilt)
                                        ? Said.nothing(status)
                                        : Said.json(200, closed));

                assertThat(new NovaFlavors(spoiling).find("own", PROJECT))
                        .as(spoilt)
                        .isInstanceOfSatisfying(
                                Search.Unknown.class,
                                unknown -> assertThat(unknown.fault().kind()).isEqualTo(kind));
            }
        }
    }
}
