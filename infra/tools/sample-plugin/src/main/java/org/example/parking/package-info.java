/** Parking spaces, leased like hosts: a plug-in that is built without the engine's source. */
@NullMarked
package org.example.parking;

import org.jspecify.annotations.NullMarked;
