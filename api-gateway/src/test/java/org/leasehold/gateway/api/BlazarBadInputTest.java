package org.leasehold.gateway.api;

import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

@SpringBootTest(
        classes = ApiServer.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@TestPropertySource(ApiServer.USERS)
class BlazarBadInputTest extends BlazarBadInputContract {

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    @Override
    protected ApiUnderTest api() {
        return new PaperApi(port, engine);
    }
}
