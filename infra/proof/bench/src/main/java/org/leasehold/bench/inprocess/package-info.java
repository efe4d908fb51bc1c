/** Load inside of the engine's process: a server in the engine, and its client. */
@NullMarked
package org.leasehold.bench.inprocess;

import org.jspecify.annotations.NullMarked;
