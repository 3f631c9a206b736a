import type { Permissions } from '@tollgate/contract'
import type { ConsoleCaller } from './route.ts'

/** Who makes a call, and from where, for the trail. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly ip: string
}

/** An actor whose role decides what is allowed. */
export interface RankedActor extends Actor {
  readonly role: number
  /** What limits an administrator, by area. */
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
