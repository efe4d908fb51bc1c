-- Who listens to notifications is told of what happens after they were switched on: a negative position is
-- replaced by that of the last event when the publication begins.
INSERT INTO publication (name, position, until) VALUES ('notifications', -1, now());
