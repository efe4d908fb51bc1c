/** What would have become of the recorded requests in another world. */
@NullMarked
package org.leasehold.whatif;

import org.jspecify.annotations.NullMarked;
