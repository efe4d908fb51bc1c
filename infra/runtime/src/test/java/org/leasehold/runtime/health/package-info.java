@NullMarked
package org.leasehold.runtime.health;

import org.jspecify.annotations.NullMarked;
