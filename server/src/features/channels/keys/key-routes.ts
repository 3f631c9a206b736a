import {
  addChannelKeys,
  compareChannelKeys,
  listChannelKeys,
  removeChannelKey,
  revealChannelKey,
  setChannelKeyStatus,
} from '@tollgate/contract'
import { actorOf } from '../../../http/actor.ts'
import type { On } from '../../../http/route.ts'
import type { ChannelKeys } from './keys.ts'

/** The console's calls for the keys of a channel. */
export const keyRoutes = (on: On, keys: ChannelKeys): void => {
  on(listChannelKeys, async ({ params }) => ({ data: await keys.list(params.id) }))
  on(revealChannelKey, async (call) => ({
    data: { key: await keys.reveal(call.params.id, call.body.key_id, actorOf(call)) },
  }))
  on(addChannelKeys, async (call) => ({ data: await keys.add(call.params.id, call.body.keys, actorOf(call)) }))
  on(setChannelKeyStatus, async (call) => ({
    data: await keys.setStatus(call.params.id, call.body.key_id, call.body.status, actorOf(call)),
  }))
  on(compareChannelKeys, async ({ body }) => ({ data: await keys.differing(body.channels) }))
  on(removeChannelKey, async (call) => ({
    data: await keys.remove(call.params.id, call.body.key_id, actorOf(call)),
  }))
}
