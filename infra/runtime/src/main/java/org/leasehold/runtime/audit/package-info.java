/** The assembly of the audit log: settings, keys, and the daily signature. */
@NullMarked
package org.leasehold.runtime.audit;

import org.jspecify.annotations.NullMarked;
