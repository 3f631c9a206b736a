import {
  addChannelKeys,
  type ChannelKey,
  compareChannelKeys,
  type Language,
  listChannelKeys,
  removeChannelKey,
  revealChannelKey,
  setChannelKeyStatus,
} from '@tollgate/contract'
import { actorOf } from '../../../http/actor.ts'
import type { On } from '../../../http/route.ts'
import { readCause } from '../../../lib/json/stored-cause.ts'
import type { ChannelKeys } from './keys.ts'

/** Keys with why they were disabled, as a reader gets it. */
const forReader = (keys: readonly ChannelKey[], language: Language): ChannelKey[] =>
  keys.map((key) => {
    const { text, ...fields } = readCause(key.reason, language)
    return { ...key, reason: text, ...fields }
  })

/** The console's calls for the keys of a channel. */
export const keyRoutes = (on: On, keys: ChannelKeys): void => {
  on(listChannelKeys, async ({ params, language }) => ({ data: forReader(await keys.list(params.id), language) }))
  on(revealChannelKey, async (call) => ({
    data: { key: await keys.reveal(call.params.id, call.body.key_id, actorOf(call)) },
  }))
  on(addChannelKeys, async (call) => ({ data: await keys.add(call.params.id, call.body.keys, actorOf(call)) }))
  on(setChannelKeyStatus, async (call) => ({
    data: forReader(
      await keys.setStatus(call.params.id, call.body.key_id, call.body.status, actorOf(call)),
      call.language,
    ),
  }))
  on(compareChannelKeys, async ({ body }) => ({ data: await keys.differing(body.channels) }))
  on(removeChannelKey, async (call) => ({
    data: forReader(await keys.remove(call.params.id, call.body.key_id, actorOf(call)), call.language),
  }))
}
