-- The leases that there are go to a topic of their own, from the first event on.
INSERT INTO publication (name, position, until) VALUES ('kafka-leases', 0, now());
