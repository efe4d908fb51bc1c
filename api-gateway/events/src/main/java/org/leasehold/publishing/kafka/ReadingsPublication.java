package org.leasehold.publishing.kafka;

import org.leasehold.publishing.Publication;

import java.time.Duration;

/** The publication of readings, whose offset is not the position of an event. */
final class ReadingsPublication implements Publication {

    private final Publication publication;
    private final ReadingsFeed feed;

    ReadingsPublication(Publication publication, ReadingsFeed feed) {
        this.publication = publication;
        this.feed = feed;
    }

    @Override
    public String name() {
        return publication.name();
    }

    @Override
    public long offset() {
        return publication.offset();
    }

    /** Counts in readings. */
    @Override
    public long lag(long last) {
        return feed.lag(offset());
    }

    @Override
    public boolean isFailing() {
        return publication.isFailing();
    }

    @Override
    public boolean hasEnded() {
        return publication.hasEnded();
    }

    @Override
    public void start() {
        publication.start();
    }

    @Override
    public void stop(Duration within) throws InterruptedException {
        publication.stop(within);
    }
}
