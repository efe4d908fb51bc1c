-- What a lease was seen to use is about the lease, too. It has streams of its own, so that it is not
-- found by the lease's. What is kept already is found by its type.
SET LOCAL statement_timeout = 0;  -- Much may have been seen.
INSERT INTO audit_subject (sort, subject, position)
SELECT 'lease', event.payload ->> 'leaseId', event.position
FROM audit_subject seen JOIN domain_event event ON event.position = seen.position
WHERE seen.sort = 'type' AND seen.subject = 'UseObserved';
