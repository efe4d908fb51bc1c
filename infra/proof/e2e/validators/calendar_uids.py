"""Prints the UIDs of the events of an iCalendar file; ends with status 1 if a component has an error."""

import sys

import icalendar

with open(sys.argv[1], "rb") as file:
    calendar = icalendar.Calendar.from_ical(file.read())
errors = [error for part in calendar.walk() for error in part.errors]
for event in calendar.walk("VEVENT"):
    print(event["UID"])
sys.exit("%s" % errors if errors else 0)
