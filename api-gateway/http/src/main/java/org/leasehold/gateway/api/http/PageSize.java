package org.leasehold.gateway.api.http;

/** The size of pages. */
public final class PageSize {

    /** The largest number of entries of a page. */
    public static final int MAX = 1000;

    private PageSize() {}
}
