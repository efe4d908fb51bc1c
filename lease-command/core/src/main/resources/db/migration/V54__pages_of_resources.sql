-- A page of the resources of a kind is read from this index alone, whatever the number of other kinds' resources.
CREATE INDEX resource_of_kind ON resource (kind, resource_id) WHERE state <> 'RETIRED';
-- The same for a page of properties, which are in the order of the characters' codes.
CREATE INDEX resource_property_of_kind ON resource_property (kind, name COLLATE "C");
