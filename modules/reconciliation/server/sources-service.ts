import { type BodyOf, isFileReport, type ReportSource, type saveReportSource } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { EgressGuard } from '#server/lib/security/egress.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { ImportStore } from './import-store.ts'
import type { AuditTrail } from './ports.ts'
import { type ReportSourceRow, type SourceColumns, type SourceStore, shownSource } from './source-store.ts'

export interface SourcesParts {
  readonly database: Database
  readonly store: SourceStore
  readonly imports: Pick<ImportStore, 'idsOfSource' | 'remove'>
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  readonly audit: AuditTrail
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'assertLiteral'>
  readonly clock: Clock
}

type Saved = BodyOf<typeof saveReportSource>

const shownEnd = 4
const hintOf = (key: string): string =>
  key.length < 12 ? '***' : `${key.slice(0, shownEnd)}***${key.slice(-shownEnd)}`

const isAddress = (text: string): boolean => /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')

/** Sources of reports and their keys, which are stored encrypted and never shown. */
export const createSources = (parts: SourcesParts) => {
  const { database, store, imports, secrets, audit, egress, clock } = parts

  const existing = async (id: number): Promise<ReportSourceRow> => {
    const row = await store.get(id)
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  const checkedAddress = ({ kind, base_url }: Saved): string => {
    const address = base_url.replace(/\/+$/, '')
    if (address === '' && kind === 'panel') throw new AppError('report_source_address')
    if (address === '') return ''
    if (!isAddress(address)) throw new AppError('address_blocked', { params: { host: address } })
    egress.assertLiteral(new URL(address).hostname)
    return address
  }

  /** A key goes to the address that it was entered for: another address needs it anew. */
  const keyOf = (
    saved: Saved,
    address: string,
    row: ReportSourceRow | undefined,
  ): Pick<ReportSourceRow, 'key_cipher' | 'key_hint'> => {
    if (isFileReport(saved.kind)) return { key_cipher: '', key_hint: '' }
    if (saved.key !== '') return { key_cipher: secrets.encrypt('report_key', saved.key), key_hint: hintOf(saved.key) }
    const isSame = row !== undefined && row.kind === saved.kind && row.base_url === address
    if (!isSame || row.key_cipher === '') throw new AppError('report_source_key')
    return { key_cipher: row.key_cipher, key_hint: row.key_hint }
  }

  const columnsOf = (saved: Saved, row: ReportSourceRow | undefined): Omit<SourceColumns, 'created_time'> => {
    const address = isFileReport(saved.kind) ? '' : checkedAddress(saved)
    return {
      kind: saved.kind,
      name: saved.name,
      channel_ids: JSON.stringify([...new Set(saved.channel_ids)]),
      base_url: address,
      settings: JSON.stringify(saved.settings),
      ...keyOf(saved, address, row),
    }
  }

  return {
    list: async (): Promise<ReportSource[]> => (await store.list()).map(shownSource),

    rows: store.list,

    /** The key of a source, for asking its provider. */
    keyOf: ({ key_cipher }: ReportSourceRow): string =>
      key_cipher === '' ? '' : secrets.decrypt('report_key', key_cipher),

    existing,

    save: async (actor: Actor, saved: Saved): Promise<ReportSource> => {
      const row = saved.id === undefined ? undefined : await existing(saved.id)
      const columns = columnsOf(saved, row)
      const { ip, ...by } = actor
      const id = await database.transaction(async (trx) => {
        const created = { ...columns, created_time: row?.created_time ?? unixSeconds(clock) }
        const id = row?.id ?? (await store.insert(created, trx))
        if (row !== undefined) await store.update(row.id, columns, trx)
        const change = { action: `report_source.${row === undefined ? 'create' : 'update'}`, object: 'report_source' }
        const facts = { ...(row === undefined ? {} : { before: { ...row } }), after: { ...created } }
        await audit.record({ actor: by, ...change, objectId: id, ...facts, ip }, trx)
        return id
      })
      return shownSource(await existing(id))
    },

    /** Deletes it with its key and its imports. */
    remove: async ({ ip, ...by }: Actor, id: number): Promise<void> => {
      const row = await existing(id)
      const ofSource = await imports.idsOfSource(id)
      await database.transaction(async (trx) => {
        for (const one of ofSource) await imports.remove(one, trx)
        await store.remove(id, trx)
        const before = { ...row, imports: ofSource.length }
        await audit.record(
          { actor: by, action: 'report_source.delete', object: 'report_source', objectId: id, before, ip },
          trx,
        )
      })
    },
  }
}

export type Sources = ReturnType<typeof createSources>
