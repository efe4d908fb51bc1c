/** The plug-ins that an operator adds. */
@NullMarked
package org.leasehold.runtime.plugin;

import org.jspecify.annotations.NullMarked;
