// Verifies webhook requests as a receiver does: signature and timestamp first, then the event. Takes a JSON file with the
// secret and, for each request, its headers and its body. Prints the types of the events.
import { readFileSync } from 'node:fs';
import { HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';

const { secret, requests } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { headers, body } of requests) {
  new Webhook(secret).verify(body, headers);
  const event = HTTP.toEvent({ headers, body });
  event.validate();
  console.log(event.type);
}
