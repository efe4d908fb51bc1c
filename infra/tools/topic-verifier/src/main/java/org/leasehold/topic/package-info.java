/** Proves by arithmetic that a topic has every event, with nothing but the topic. */
@NullMarked
package org.leasehold.topic;

import org.jspecify.annotations.NullMarked;
