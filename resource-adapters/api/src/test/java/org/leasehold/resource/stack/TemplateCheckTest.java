package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.Planning.Plan.Invalid;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

class TemplateCheckTest {

    private static final String SITE =
            """
            parameters: {zone: {type: string, default: here}, kind: {type: string}}
            resources:
              web:
                type: OS::Nova::Server
                properties: {flavor: small, availability_zone: {get_param: zone}}
            """;

    private final Map<String, @Nullable Object> wish = new HashMap<>();

    private Optional<String> field() {
        return TemplateCheck.validate(wish).map(Invalid::field);
    }

    private void resource(String yaml) {
        wish.put("template", "resources:\n  it: " + yaml);
    }

    private void registry(String yaml) {
        wish.put("environment", "resource_registry: " + yaml);
    }

    private void assertRefused(String yaml) {
        resource(yaml);
        assertThat(field()).as(yaml).hasValue("template");
    }

    private void assertPasses(String yaml) {
        resource(yaml);
        assertThat(field()).as(yaml).isEmpty();
    }

    @Test
    void a_nested_template_among_the_files_passes() {
        wish.put("files", Map.of("site.yaml", SITE, "user_data.yaml", "#cloud-config"));
        registry(
                "{base_url: 'file:///x', 'My::Site': site.yaml, resources: {it: {hooks:"
                        + " [pre-create]}}}");

        assertPasses("{type: My::Site, properties: {zone: east}}");
        assertPasses("{type: site.yaml, properties: {zone: {get_param: zone}}}");
        assertPasses(
                "{type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type:"
                        + " site.yaml}}}");
        assertPasses(
                "{type: OS::Heat::ResourceChain, properties: {resources: [My::Site, site.yaml]}}");
        assertPasses("{type: OS::Nova::Server, properties: {flavor: {get_param: flavor}}}");
    }

    @Test
    void an_environment_must_not_map_one_type_to_another() {
        wish.put("files", Map.of("site.yaml", SITE));
        resource("{type: OS::Heat::None}");
        for (String registry :
                new String[] {
                    "{'OS::Heat::None': OS::Nova::Server}",
                    "{'OS::Heat::*': 'OS::Nova::*'}",
                    "{'OS::Heat::None': 'http://there/site.yaml'}",
                    "{resources: {it: {'OS::Heat::None': OS::Nova::Server}}}",
                    "{resources: {it: {'OS::Heat::None': site.yaml}}}",
                    "{hooks: {'OS::Heat::None': OS::Nova::Server}}",
                }) {
            registry(registry);
            assertThat(field()).as(registry).hasValue("environment");
        }
        wish.put("environment", "no environment");
        assertThat(field()).hasValue("environment");
        wish.put("environment", Map.of("resource_registry", Map.of("OS::Heat::None", "X::Y")));
        assertThat(field()).hasValue("environment");
    }

    @Test
    void a_resource_type_outside_the_given_files_is_refused() {
        wish.put("files", Map.of("outer.yaml", "resources: {in: {type: 'http://there/x.yaml'}}"));

        assertRefused("{type: 'http://there/x.yaml'}");
        assertRefused("{type: x.template}");
        assertRefused("{type: outer.yaml}");
        assertRefused("{type: AWS::CloudFormation::Stack, properties: {TemplateURL: 'http://x'}}");
        assertRefused(
                "{type: OS::Heat::ResourceGroup, properties: {resource_def: {type: {get_param:"
                        + " type}}}}");
        assertRefused(
                "{type: OS::Heat::ResourceGroup, properties: {resource_def: {get_param: d}}}");
        assertRefused("{type: OS::Heat::AutoScalingGroup, properties: {resource: {type: x.yaml}}}");
        assertRefused("{type: OS::Heat::ResourceChain, properties: {resources: [x.yaml]}}");
        assertRefused("{type: OS::Heat::ResourceChain, properties: {resources: {get_param: r}}}");
        wish.put("template", "Resources: {it: {Type: x.yaml}}");
        assertThat(field()).hasValue("template");
        wish.put("template", "no template");
        assertThat(field()).hasValue("template");
    }

    @Test
    void a_capacity_property_that_is_computed_later_is_refused() {
        wish.put("files", Map.of("site.yaml", SITE));

        assertRefused(
                "{type: OS::Nova::Server, properties: {availability_zone: {get_attr: [a, b]}}}");
        assertRefused(
                "{type: OS::Cinder::Volume, properties: {volume_type: {str_replace: {params: {x:"
                        + " {get_attr: [a, b]}}}}}}");
        assertRefused("{type: OS::Heat::ResourceGroup, properties: {count: {get_attr: [a, b]}}}");
        assertRefused("{type: site.yaml, properties: {zone: {get_attr: [a, b]}}}");
        assertPasses("{type: site.yaml, properties: {kind: {get_attr: [a, b]}}}");
        assertPasses("{type: OS::Nova::Server, properties: {user_data: {get_attr: [a, b]}}}");
    }

    @Test
    void a_recursive_or_too_large_template_is_refused() {
        wish.put("files", Map.of("a.yaml", "resources: {a: {type: a.yaml}, b: {type: a.yaml}}"));
        assertRefused("{type: a.yaml}");
        wish.put("files", Map.of("a.txt", "x".repeat(300_000)));
        assertRefused("{type: OS::Heat::None}");
    }

    @Test
    void a_registry_that_maps_a_type_to_another_type_hides_types() {
        assertThat(TemplateCheck.hidesTypes(Map.of("resources", Map.of()))).isFalse();
        assertThat(TemplateCheck.hidesTypes(Map.of("My::Site", "file:///site.yaml"))).isFalse();
        assertThat(TemplateCheck.hidesTypes(Map.of("OS::Heat::None", "OS::Nova::Server"))).isTrue();
    }
}
