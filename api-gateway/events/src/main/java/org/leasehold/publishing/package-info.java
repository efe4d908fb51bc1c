/** Publications of events to other systems. */
@NullMarked
package org.leasehold.publishing;

import org.jspecify.annotations.NullMarked;
