/** Tells Kafka what happened. Nothing else in the product knows Kafka. */
@NullMarked
package org.leasehold.publishing.kafka;

import org.jspecify.annotations.NullMarked;
