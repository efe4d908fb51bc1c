package org.leasehold.gateway.v1;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.gateway.v1.http.V1BaseUrl;
import org.leasehold.gateway.v1.http.V1Json;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Map;

/** The versions of the API, for clients that know only the service's root. */
@RestController
class VersionEndpoints {

    @GetMapping({"/", "/versions"})
    ResponseEntity<byte[]> versions(HttpServletRequest request) {
        Map<String, Object> version =
                Map.of(
                        "id", "v1.0",
                        "status", "CURRENT",
                        "min_version", "1.0",
                        "max_version", "1.0",
                        "links",
                                List.of(
                                        Map.of(
                                                "rel",
                                                "self",
                                                "href",
                                                V1BaseUrl.root(request) + "/v1")));
        return V1Json.response(300, Map.of("versions", List.of(version)));
    }
}
