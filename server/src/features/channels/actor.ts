import type { Caller } from '../../http/route.ts'

/** Who changes something, for the trail. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly ip: string
}

export const actorOf = ({ caller, ip }: { readonly caller: Caller; readonly ip: string }): Actor => ({
  id: caller.id,
  username: caller.username,
  ip,
})
