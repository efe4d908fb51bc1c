package org.leasehold.gateway.api;

import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

@ApiTest
class ApiAuthorizationTest extends AuthorizationContract {

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    @Override
    protected ApiUnderTest api() {
        return new InMemoryApi(port, engine);
    }
}
