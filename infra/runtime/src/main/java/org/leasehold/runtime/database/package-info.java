/**
 * The engine's database, embedded or external: settings, connections, failures, and the end of the
 * process.
 */
@NullMarked
package org.leasehold.runtime.database;

import org.jspecify.annotations.NullMarked;
