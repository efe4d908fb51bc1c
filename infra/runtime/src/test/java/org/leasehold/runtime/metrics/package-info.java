@NullMarked
package org.leasehold.runtime.metrics;

import org.jspecify.annotations.NullMarked;
