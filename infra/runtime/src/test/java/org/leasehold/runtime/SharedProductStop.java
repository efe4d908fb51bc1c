package org.leasehold.runtime;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Stops the product that several classes share, after the last test. With Spring's shutdown hook,
 * the database would stop at the same moment, and the product would wait for it.
 */
final class SharedProductStop implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext test) {
        var product = (ConfigurableApplicationContext) SpringExtension.getApplicationContext(test);
        test.getRoot()
                .getStore(Namespace.create(SharedProductStop.class))
                .computeIfAbsent("stop", _ -> product);
    }
}
