package org.leasehold.runtime;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Excludes the contract suites, which are tests in separate jars. */
final class NoTestJars implements ImportOption {

    @Override
    public boolean includes(Location location) {
        return !location.contains("-tests.jar");
    }
}
