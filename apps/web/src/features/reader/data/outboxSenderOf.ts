import type { QueryClient } from "@tanstack/react-query";
import { OutboxSender } from "./outboxSender";

const senders = new WeakMap<QueryClient, Map<string, OutboxSender>>();

/** The one sender of a person on this page. */
export function outboxSenderOf(client: QueryClient, userId: string): OutboxSender {
  const known = senders.get(client) ?? new Map<string, OutboxSender>();
  senders.set(client, known);
  const sender = known.get(userId) ?? new OutboxSender(client, userId);
  known.set(userId, sender);
  return sender;
}
