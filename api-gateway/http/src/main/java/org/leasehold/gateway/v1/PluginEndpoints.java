package org.leasehold.gateway.v1;

import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.resource.Plugins;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Map;

/** The endpoint of the kinds that can be leased. In Blazar it exists and always fails. */
@RestController
class PluginEndpoints {

    private final Plugins plugins;

    PluginEndpoints(Plugins plugins) {
        this.plugins = plugins;
    }

    @GetMapping("/v1/plugins")
    ResponseEntity<byte[]> list() {
        return V1Json.response(200, Map.of("plugins", List.copyOf(plugins.kinds())));
    }
}
