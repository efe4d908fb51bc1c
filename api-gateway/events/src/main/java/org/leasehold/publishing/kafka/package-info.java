/** Publications to Kafka. No other package depends on Kafka. */
@NullMarked
package org.leasehold.publishing.kafka;

import org.jspecify.annotations.NullMarked;
