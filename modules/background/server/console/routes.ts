import {
  browseBackground,
  browseOrganisationBackground,
  browseOwnBackground,
  cancelBackground,
  cancelOwnBackground,
  countBackground,
} from '@tollgate/contract'
import type { TaskReader } from '#server/db/task-lists.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import { type Actor, actorOf } from '#server/http/actor.ts'
import { type OrganisationTasks, organisationPage } from '#server/http/organisation-tasks.ts'
import type { On } from '#server/http/route.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { StoredObjects } from '#server/relay/stored/ports.ts'
import type { Background } from '../background.ts'
import type { BackgroundStore } from '../store.ts'
import type { BackgroundReads } from './background-reads.ts'

export interface BackgroundConsoleParts {
  readonly reads: BackgroundReads
  readonly store: Pick<BackgroundStore, 'cancel' | 'requestOf'>
  readonly background: Pick<Background, 'cancel'>
  readonly storedObjects: Pick<StoredObjects, 'find'>
  readonly audit: Audit
  readonly organisationTasks: OrganisationTasks
}

/** Calls of the console about responses in the background. */
export const backgroundConsole = (on: On, parts: BackgroundConsoleParts): void => {
  const { reads, store, background, storedObjects, audit, organisationTasks } = parts

  const cancel = async ({ id: actorId, username, ip }: Actor, reader: TaskReader, id: number): Promise<void> => {
    const row = await reads.find(reader, id)
    if (row === undefined) throw new AppError('not_found')
    const ended = new AppError('background_ended', { params: { id: row.response_id } })
    if (row.state !== 'open') throw ended
    const owner = store.requestOf(row)?.owner
    const response = owner && (await storedObjects.find(owner, 'response', row.response_id))
    // Of one that its owner has deleted the row alone is left.
    if (response === undefined) await store.cancel(row.response_id)
    else if ((await background.cancel(response)).status !== 'cancelled') throw ended
    await audit.record({
      actor: { id: actorId, username },
      action: 'response.cancel',
      object: 'response',
      objectId: row.response_id,
      before: {},
      after: {},
      ip,
    })
  }

  on(browseBackground, async ({ query }) => ({ data: await reads.browse({ all: true }, query) }))
  on(browseOwnBackground, async ({ query, caller }) => ({ data: await reads.browse({ userId: caller.id }, query) }))
  on(browseOrganisationBackground, organisationPage(organisationTasks, reads))
  on(countBackground, async ({ query: { facet: _, ...query } }) => ({ data: await reads.counts(query) }))
  on(cancelBackground, async (call) => {
    await cancel(actorOf(call), { all: true }, call.params.id)
    return {}
  })
  on(cancelOwnBackground, async (call) => {
    await cancel(actorOf(call), { userId: call.caller.id }, call.params.id)
    return {}
  })
}
