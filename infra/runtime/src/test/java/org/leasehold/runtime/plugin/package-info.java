@NullMarked
package org.leasehold.runtime.plugin;

import org.jspecify.annotations.NullMarked;
