package org.leasehold.resource.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.resource.Planning.Plan;

import java.util.LinkedHashMap;
import java.util.Map;

/** Requests for hosts, and the plans of them. */
abstract class HostPlanningFixture {

    static final String GPU = "[\"==\", \"$gpu\", \"V100\"]";
    static final String BIG = "[\">=\", \"$memory_mb\", \"4096\"]";
    static final Comparison IS_GPU = new Comparison(Operator.EQUAL, "gpu", "V100");
    static final Comparison IS_BIG = new Comparison(Operator.AT_LEAST, "memory_mb", "4096");

    final HostPlanning planning = new HostPlanning();

    static Plan.Planned planned(Plan plan) {
        assertThat(plan).isInstanceOf(Plan.Planned.class);
        return (Plan.Planned) plan;
    }

    static Map<String, Object> request() {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("min", 1);
        request.put("max", 2);
        request.put("hypervisor_properties", "");
        request.put("resource_properties", "");
        return request;
    }

    static Map<String, Object> normal(
            int min, int max, String hypervisorProperties, String resourceProperties) {
        Map<String, Object> normal = new LinkedHashMap<>();
        normal.put("min", min);
        normal.put("max", max);
        normal.put("hypervisor_properties", hypervisorProperties);
        normal.put("resource_properties", resourceProperties);
        normal.put("before_end", "default");
        normal.put("selection", "first_fit");
        return normal;
    }

    static Map<String, Object> with(String name, Object value, Map<String, Object> request) {
        Map<String, Object> changed = new LinkedHashMap<>(request);
        changed.put(name, value);
        return changed;
    }
}
