-- What was refused is told apart by what was wished: a pool has the refusals of one kind whose wishes
-- required the same, in the words of filters; one whose wish is an empty text has those of all other
-- wishes. They count in the kind as a whole, as what is in pools of resources does. A refusal names the
-- pool of its wish, whether there is one or not: the first wishes of a kind have pools, those that come
-- later are others. All of it follows from the events: it is made anew.
TRUNCATE capacity_pool, capacity_member, capacity_span, capacity_refusal, capacity_change,
    capacity_hour;
ALTER TABLE capacity_pool ADD COLUMN wish text;
ALTER TABLE capacity_refusal ADD COLUMN wish uuid NOT NULL;
UPDATE projection SET position = 0 WHERE name = 'capacity';
