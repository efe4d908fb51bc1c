@NullMarked
package org.leasehold.seal;

import org.jspecify.annotations.NullMarked;
