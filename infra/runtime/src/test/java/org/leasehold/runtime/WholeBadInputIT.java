package org.leasehold.runtime;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.gateway.api.ApiUnderTest;
import org.leasehold.gateway.api.BadInputContract;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

@SpringBootTest(
        classes = Leasehold.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@TestPropertySource(locations = WholeApi.USERS, properties = WholeApi.PLANS)
@ContextConfiguration(initializers = OwnFolder.class)
@Import(WholeApi.class)
@ExtendWith(SharedProductStop.class)
@ResourceLock(WholeApi.SHARED)
@Order(9)
class WholeBadInputIT extends BadInputContract {

    @Autowired WholeApi api;

    @Override
    protected ApiUnderTest api() {
        return api;
    }
}
