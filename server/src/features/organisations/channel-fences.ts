import { type ChannelFence, channelFence, type PlacedFence } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import type { OrganisationAccess } from './rights.ts'
import { projectOf, teamOf } from './structure.ts'

const empty: ChannelFence = { channels: [], tags: [] }

const fenceOf = (text: string): ChannelFence => channelFence.safeParse(parseObject(text)).data ?? empty

/** The fences of an organisation and of its teams and projects; those without one are left out. */
export const readFences = async (
  on: Kysely<Tables>,
  { organisationId }: OrganisationAccess,
): Promise<PlacedFence[]> => {
  const whole = await on.selectFrom('organisations').select('channels').where('id', '=', organisationId).execute()
  const placed = (['team', 'project'] as const).map(async (subject) => {
    const rows = await on
      .selectFrom(subject === 'team' ? 'teams' : 'projects')
      .select(['id', 'channels'])
      .where('organisation_id', '=', organisationId)
      .where('deleted_at', 'is', null)
      .where('channels', 'is not', null)
      .execute()
    return rows.map(({ id, channels }) => ({ subject, subject_id: id, ...fenceOf(channels ?? '') }))
  })
  const [first] = whole
  const ofWhole = first?.channels
    ? [{ subject: 'organisation' as const, subject_id: 0, ...fenceOf(first.channels) }]
    : []
  return [...ofWhole, ...(await Promise.all(placed)).flat()]
}

/** Sets the channels of an organisation, team or project, from the next call on; neither channels nor tags is no fence. */
export const putFence = async (
  parts: OrganisationParts,
  access: OrganisationAccess,
  actor: Actor,
  { subject, subject_id, channels, tags }: PlacedFence,
): Promise<void> => {
  const { query } = parts.database
  if (subject === 'team') await teamOf(query, access, subject_id)
  if (subject === 'project') await projectOf(query, access, subject_id)
  const isNone = channels.length === 0 && tags.length === 0
  const set = { channels: isNone ? null : JSON.stringify({ channels, tags }) }
  await parts.database.transaction(async (trx) => {
    const [table, id] =
      subject === 'organisation'
        ? (['organisations', access.organisationId] as const)
        : ([subject === 'team' ? 'teams' : 'projects', subject_id] as const)
    await trx.updateTable(table).set(set).where('id', '=', id).execute()
    await parts.audit.record(
      traceOf(actor, 'fence', access.organisationId, { subject, subject_id, channels, tags }),
      trx,
    )
  })
  parts.userChanged(access.walletId)
}
