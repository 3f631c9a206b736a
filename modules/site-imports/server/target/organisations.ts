import { longestOrganisationName } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { openImported } from '#server/ledger/opening.ts'
import { shortText } from '#server/lib/bounded-text.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { MappedKind } from '../row-map.ts'
import type { ImportRun } from '../run.ts'
import type { MovedOrganisation, MovedProject, MovedTeam } from '../site.ts'

/** Wallets begin in the group that every site has. */
const walletGroup = 'default'

/** With room for the ellipsis of one that is cut. */
const nameOf = ({ name }: { readonly name: string }): string =>
  shortText(name.trim() || '-', longestOrganisationName - 1)

/** Rows that no earlier run moved, counted; in a dry run they count as moved. */
const freshOf = async <Row extends { readonly sourceId: string }>(
  run: ImportRun,
  kind: 'organisation' | 'team' | 'project',
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const known = await run.map.known(
    kind,
    rows.map(({ sourceId }) => sourceId),
  )
  const fresh = rows.filter(({ sourceId }) => !known.has(sourceId))
  run.count(kind, { found: rows.length, known: known.size, carried: fresh.length })
  return fresh
}

const pretend = (
  run: ImportRun,
  kinds: readonly MappedKind[],
  rows: readonly { readonly sourceId: string }[],
): void => {
  for (const kind of kinds) {
    run.map.pretend(
      kind,
      rows.map(({ sourceId }) => sourceId),
    )
  }
}

/** Moves organisations with their wallets' balances; a page is one transaction. */
export const createOrganisationWriter = (run: ImportRun) => {
  const { database, clock, foundOrganisation } = run.target

  const insertAll = (fresh: readonly MovedOrganisation[]): Promise<void> =>
    database.transaction(async (trx) => {
      const organisations = new Map<string, number>()
      const wallets = new Map<string, number>()
      for (const row of fresh) {
        const { models, createdTime } = row
        const made = await foundOrganisation(trx, { name: nameOf(row), group: walletGroup, models, createdTime })
        organisations.set(row.sourceId, made.id)
        wallets.set(row.sourceId, made.walletId)
      }
      await run.map.add(trx, 'organisation', organisations)
      await run.map.add(trx, 'wallet', wallets)
      await openImported(database, trx, {
        users: fresh.map(({ sourceId, quota, usedQuota }) => ({
          id: wallets.get(sourceId) ?? 0,
          quota,
          usedQuota,
          requestCount: 0,
          affQuota: 0,
          affHistory: 0,
        })),
        at: unixSeconds(clock),
        detail: { imported: run.site },
      })
    })

  return {
    async write(rows: readonly MovedOrganisation[]): Promise<void> {
      if (rows.length === 0) return
      const fresh = await freshOf(run, 'organisation', rows)
      for (const { quota, usedQuota } of rows) {
        run.add('wallet_quota', quota)
        run.add('wallet_used', usedQuota)
      }
      if (run.dryRun) pretend(run, ['organisation', 'wallet'], fresh)
      else if (fresh.length > 0) await insertAll(fresh)
    },
  }
}

/** Teams and projects differ in what they belong to. */
const createPlaceWriter = <Row extends MovedTeam>(
  run: ImportRun,
  kind: 'team' | 'project',
  insert: (
    trx: Transaction<Tables>,
    row: Row,
    columns: { organisation_id: number; name: string; models: string; created_time: number; deleted_at: null },
  ) => Promise<number | undefined>,
) => {
  const insertAll = (fresh: readonly Row[]): Promise<void> =>
    run.target.database.transaction(async (trx) => {
      const organisations = await run.map.known(
        'organisation',
        fresh.map(({ organisationId }) => organisationId),
      )
      const made = new Map<string, number>()
      for (const row of fresh) {
        const organisation_id = organisations.get(row.organisationId)
        if (organisation_id === undefined) continue
        const common = { models: row.models.join(','), created_time: row.createdTime, deleted_at: null }
        const id = await insert(trx, row, { organisation_id, name: nameOf(row), ...common })
        if (id !== undefined) made.set(row.sourceId, id)
      }
      await run.map.add(trx, kind, made)
    })
  return {
    async write(rows: readonly Row[]): Promise<void> {
      if (rows.length === 0) return
      const fresh = await freshOf(run, kind, rows)
      if (run.dryRun) pretend(run, [kind], fresh)
      else if (fresh.length > 0) await insertAll(fresh)
    },
  }
}

export const createTeamWriter = (run: ImportRun) =>
  createPlaceWriter<MovedTeam>(run, 'team', (trx, _, columns) => insertReturningId(trx, 'teams', columns))

export const createProjectWriter = (run: ImportRun) =>
  createPlaceWriter<MovedProject>(run, 'project', async (trx, { teamId }, columns) => {
    const team_id = (await run.map.known('team', [teamId])).get(teamId)
    return team_id === undefined ? undefined : insertReturningId(trx, 'projects', { ...columns, team_id })
  })
