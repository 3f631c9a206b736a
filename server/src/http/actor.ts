import type { Permissions } from '@tollgate/contract'
import type { ConsoleCaller } from './route.ts'

/** Person and address behind a call, for the audit trail. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly ip: string
}

/** An actor with a role, which decides permissions. */
export interface RankedActor extends Actor {
  readonly role: number
  /** Permissions of an administrator, by area. */
  readonly permissions?: Permissions | undefined
}

interface From {
  readonly caller: ConsoleCaller
  readonly ip: string
}

export const actorOf = ({ caller: { id, username }, ip }: From): Actor => ({ id, username, ip })

export const rankedActorOf = (call: From): RankedActor => ({
  ...actorOf(call),
  role: call.caller.role,
  permissions: call.caller.permissions,
})
