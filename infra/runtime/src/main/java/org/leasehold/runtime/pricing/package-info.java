/** The price plans that the settings name. */
@NullMarked
package org.leasehold.runtime.pricing;

import org.jspecify.annotations.NullMarked;
