import type { BodyOf, capPeriods, SpendCap, setSpendCap } from '@tollgate/contract'
import type { Kysely } from 'kysely'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { type CapPeriod, capAccount } from '../../ledger/caps/cap-accounts.ts'
import { AppError } from '../../lib/app-error.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import { assertMay, type OrganisationAccess } from './rights.ts'
import { projectOf } from './structure.ts'

const periods: Readonly<Record<CapPeriod, (typeof capPeriods)[number]>> = { day: 'day', month: 'month', total: 'total' }

/** The period that a row names; rows are only written with known ones. */
const periodOf = (text: string): CapPeriod => (Object.hasOwn(periods, text) ? (text as CapPeriod) : 'total')

export interface Caps {
  readonly members: ReadonlyMap<number, SpendCap>
  readonly projects: ReadonlyMap<number, SpendCap>
}

/** The caps of an organisation, with what was spent in the window of `at`, in milliseconds since 1970. */
export const readCapsOf = async (on: Kysely<Tables>, organisationId: number, at: number): Promise<Caps> => {
  const rows = await on.selectFrom('spend_caps').selectAll().where('organisation_id', '=', organisationId).execute()
  const accounts = rows.map((row) => capAccount({ id: row.id, period: periodOf(row.period) }, at))
  const windows =
    accounts.length === 0
      ? []
      : await on.selectFrom('spend_windows').select(['id', 'spent']).where('id', 'in', accounts).execute()
  const spent = new Map(windows.map((window) => [window.id, window.spent]))
  const of = (subject: string) =>
    new Map(
      rows.flatMap((row, index): [number, SpendCap][] =>
        row.subject === subject
          ? [
              [
                row.subject_id,
                { period: periodOf(row.period), amount: row.amount, spent: spent.get(accounts[index] ?? 0) ?? 0 },
              ],
            ]
          : [],
      ),
    )
  return { members: of('member'), projects: of('project') }
}

/** Sets, changes or removes a cap; a changed one counts at once on every node. */
export const setCap = async (
  parts: OrganisationParts,
  access: OrganisationAccess,
  actor: Actor,
  { subject, subject_id, period, amount }: BodyOf<typeof setSpendCap>,
): Promise<void> => {
  const { query } = parts.database
  if (subject === 'project') {
    const project = await projectOf(query, access, subject_id)
    assertMay(access, 'manage_caps', project.team_id)
  } else {
    const member = await query
      .selectFrom('memberships')
      .select('id')
      .where('organisation_id', '=', access.organisationId)
      .where('user_id', '=', subject_id)
      .executeTakeFirst()
    if (member === undefined) throw new AppError('not_found')
    assertMay(access, 'manage_caps')
  }
  const key = { organisation_id: access.organisationId, subject, subject_id }
  const account = await parts.database.transaction(async (trx) => {
    const existing = await trx
      .selectFrom('spend_caps')
      .selectAll()
      .where('organisation_id', '=', key.organisation_id)
      .where('subject', '=', subject)
      .where('subject_id', '=', subject_id)
      .executeTakeFirst()
    await parts.audit.record(traceOf(actor, 'cap', access.organisationId, { subject, subject_id, period, amount }), trx)
    if (amount === null) {
      if (existing !== undefined) await trx.deleteFrom('spend_caps').where('id', '=', existing.id).execute()
      return existing && capAccount({ id: existing.id, period: periodOf(existing.period) }, parts.clock())
    }
    // Another period is another cap: windows of one cap never mix.
    if (existing !== undefined && existing.period === period) {
      await trx.updateTable('spend_caps').set({ amount }).where('id', '=', existing.id).execute()
      return capAccount({ id: existing.id, period }, parts.clock())
    }
    if (existing !== undefined) await trx.deleteFrom('spend_caps').where('id', '=', existing.id).execute()
    const id = await insertReturningId(trx, 'spend_caps', { ...key, period, amount })
    return capAccount({ id, period }, parts.clock())
  })
  if (account !== undefined) await parts.ledger.refreshCap(account)
  parts.userChanged(access.walletId)
}
