package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Stream;

@ApiTest
class QueryObjectsTest {

    @Autowired RequestMappingHandlerMapping requestMappingHandlerMapping;
    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    /** Without both annotations, the method's parameters are not validated. */
    @Test
    void routes_validate_query_objects() {
        List<MethodParameter> queries =
                requestMappingHandlerMapping.getHandlerMethods().values().stream()
                        .flatMap(method -> Stream.of(method.getMethodParameters()))
                        .filter(each -> QueryObjects.isQueryObject(each.getParameterType()))
                        .toList();
        assertThat(queries)
                .isNotEmpty()
                .allMatch(query -> query.hasParameterAnnotation(Valid.class))
                .allMatch(query -> query.hasParameterAnnotation(NotNull.class));
    }

    @Test
    void a_query_object_has_the_parameters_of_all_components() {
        assertThat(QueryObjects.parameters(Sample.class))
                .extracting(QueryObjects::name)
                .containsExactly("as_of", "limit");
        assertThat(QueryObjects.parameters(Sample.class))
                .extracting(QueryObjects::component)
                .containsExactly("asOf", "limit");
        assertThat(QueryObjects.isQueryObject(Sample.class)).isTrue();
        assertThat(QueryObjects.isQueryObject(String.class)).isFalse();
    }

    @Test
    void errors_name_all_invalid_parameters_in_order() {
        String tooLong = "=" + "x".repeat(256);
        Answer answer =
                new ApiClient(new InMemoryApi(port, engine))
                        .get(
                                "admin",
                                "/api/audit/events?limit=0&resource_name%1$s&user%1$s&project%1$s"
                                        .formatted(tooLong));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(
                        answer.json().path("errors").findValues("field").stream()
                                .map(JsonNode::asString))
                .containsExactly("project", "user", "resource_name", "limit");
    }

    @ParameterObject
    record Sample(
            @RequestParam(name = "as_of") String asOf, @RequestParam(name = "limit") int limit) {}
}
