@NullMarked
package org.leasehold.runtime.moving;

import org.jspecify.annotations.NullMarked;
