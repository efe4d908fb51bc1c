/** Usage of projects and its charges. */
@NullMarked
package org.leasehold.readmodel.usage;

import org.jspecify.annotations.NullMarked;
