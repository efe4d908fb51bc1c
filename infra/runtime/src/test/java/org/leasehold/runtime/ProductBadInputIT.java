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
@TestPropertySource(locations = ProductApi.USERS, properties = ProductApi.PLANS)
@ContextConfiguration(initializers = IsolatedEngineInitializer.class)
@Import(ProductApi.class)
@ExtendWith(SharedProductStop.class)
@ResourceLock(ProductApi.SHARED)
@Order(9)
class ProductBadInputIT extends BadInputContract {

    @Autowired ProductApi api;

    @Override
    protected ApiUnderTest api() {
        return api;
    }
}
