package org.leasehold.runtime;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.gateway.api.ApiUnderTest;
import org.leasehold.gateway.api.BadInputContract;
import org.leasehold.gateway.api.ExampleRecorder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

import java.io.IOException;
import java.nio.file.Path;

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

    private static final Path EXAMPLES =
            Path.of(
                    "../../api-gateway/http/src/main/resources/org/leasehold/gateway/api/examples.json");

    private static final ExampleRecorder RECORDER = new ExampleRecorder();

    @Autowired ProductApi api;

    /** Writes the examples of the API description, if the build asks for it. */
    @AfterAll
    static void writeExamples() throws IOException {
        if ("write".equals(System.getProperty("openapi"))) {
            RECORDER.write(EXAMPLES);
        }
    }

    @Override
    protected void onAccepted(ExampleRecorder.Example example) {
        RECORDER.record(example);
    }

    @Override
    protected ApiUnderTest api() {
        return api;
    }
}
