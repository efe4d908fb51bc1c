@NullMarked
package org.leasehold.runtime.pricing;

import org.jspecify.annotations.NullMarked;
