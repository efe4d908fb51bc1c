/** The measured site: an engine, its database, a Kafka broker, and the hosts and leases in them. */
@NullMarked
package org.leasehold.bench.site;

import org.jspecify.annotations.NullMarked;
