/** Comparisons of the recorded past with a hypothetical inventory or policy. */
@NullMarked
package org.leasehold.gateway.api.whatif;

import org.jspecify.annotations.NullMarked;
