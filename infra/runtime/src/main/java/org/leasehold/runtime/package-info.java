/** The one package that knows every module: main, wiring and migrations. */
@NullMarked
package org.leasehold.runtime;

import org.jspecify.annotations.NullMarked;
