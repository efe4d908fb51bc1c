/** PostgreSQL for tests: one server per JVM, one database per class. */
@NullMarked
package org.leasehold.testdatabase;

import org.jspecify.annotations.NullMarked;
