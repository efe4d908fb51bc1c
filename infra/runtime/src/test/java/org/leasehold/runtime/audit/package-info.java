@NullMarked
package org.leasehold.runtime.audit;

import org.jspecify.annotations.NullMarked;
