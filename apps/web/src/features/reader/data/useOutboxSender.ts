import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUser } from "../../../shared/session";
import { outboxSenderOf } from "./outboxSenderOf";

/** Sends what waits, whichever view is open, for as long as the person is signed in. */
export function useOutboxSender(): void {
  const client = useQueryClient();
  const user = useUser();
  useEffect(() => outboxSenderOf(client, user.id).start(), [client, user.id]);
}
