import { addUserNote, deleteUserNote, listUserNotes } from '@tollgate/contract'
import type { ModuleKit } from '#server/app/modules/module-kit.ts'
import { type Actor, actorOf, rankedActorOf } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { openNoteStore } from './store.ts'

/** Calls about notes on users whom the caller may see. Each change leaves a trace, a deletion with the text. */
export const noteRoutes = ({
  database,
  showUser,
  audit,
  clock,
  on,
}: Pick<ModuleKit, 'database' | 'showUser' | 'audit' | 'clock' | 'on'>): void => {
  const notes = openNoteStore(database)

  const trace = (
    { id, username, ip }: Actor,
    userId: number,
    change: { action: string; before: Record<string, unknown>; after: Record<string, unknown> },
  ): Promise<void> => audit.record({ ...change, actor: { id, username }, object: 'user', objectId: userId, ip })

  on(listUserNotes, async (call) => {
    await showUser(rankedActorOf(call), call.params.id)
    return { data: await notes.page(call.params.id, call.query) }
  })
  on(addUserNote, async (call) => {
    const { id } = call.params
    await showUser(rankedActorOf(call), id)
    const { text } = call.body
    const author = { author_id: call.caller.id, author_name: call.caller.username }
    const note = await notes.add(id, { text, ...author, created_time: unixSeconds(clock) })
    await trace(actorOf(call), id, { action: 'user.note_add', before: {}, after: { note: text } })
    return { data: note }
  })
  on(deleteUserNote, async (call) => {
    const { id } = call.params
    await showUser(rankedActorOf(call), id)
    const text = await notes.remove(id, call.params.note)
    if (text === undefined) throw new AppError('not_found')
    await trace(actorOf(call), id, { action: 'user.note_delete', before: { note: text }, after: {} })
    return {}
  })
}
