import type { DataOf, getReportImport, ReportImport } from '@tollgate/contract'
import type { Usage } from '#server/billing/usage.ts'
import type { Database } from '#server/db/database.ts'
import { priceSettings } from '#server/features/pricing/price-options.ts'
import { groupCalls } from '#server/ledger/apply/call-groups.ts'
import { addUsage } from '#server/ledger/usage/hours.ts'
import { usageOf } from '#server/ledger/usage/usage-of.ts'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import type { RequestRecord } from '#server/relay/ports.ts'
import { openUndiciUpstream } from '#server/relay/upstream/upstream-undici.ts'
import { chargedRow, testOptions } from '#server-test/support/features/pricing.ts'
import { signedIn } from '#server-test/support/features/signed-in.ts'
import { createReadOwnCalls } from '../server/calls/own-calls.ts'
import { openImportStore } from '../server/import-store.ts'
import { createImports } from '../server/imports.ts'
import { openListCost } from '../server/list-cost.ts'
import { createReadOwnUsage } from '../server/own-usage.ts'
import { reconciliationRoutes } from '../server/routes.ts'
import { openSourceStore } from '../server/source-store.ts'
import { createSources } from '../server/sources-service.ts'

/** 5 November 2026 (UTC). */
export const firstDay = Date.UTC(2026, 10, 5) / 1000
export const day = 86_400

/** A call that the log has. */
export interface LoggedCall {
  readonly model: string
  readonly usage: Partial<Usage>
  /** Unix seconds. */
  readonly at: number
  readonly channel?: number
  /** The provider's name of the model, where it is mapped. */
  readonly upstream?: string
  readonly group?: string
  /** Provider's id of the call. */
  readonly providerId?: string
  /** Recorded cost at the provider, in quota units. */
  readonly upstreamCost?: number
}

/** $2.50 a million prompt tokens, half of it from the cache, four times for completions. */
export const listed = testOptions({
  ModelRatio: { 'gpt-4o': 1.25, 'claude-sonnet-4-6': 1.5, 'gpt-4o-mini': 0.075 },
  CacheRatio: { 'gpt-4o': 0.5, 'claude-sonnet-4-6': 0.1, 'gpt-4o-mini': 0.5 },
  CompletionRatio: { 'gpt-4o': 4, 'claude-sonnet-4-6': 5, 'gpt-4o-mini': 4 },
})

type Detail = DataOf<typeof getReportImport>

/** Reconciliation on a database, as root sees it; providers are reached over HTTP. */
export const openTestReconciliation = async (database: Database, more: { allow?: readonly string[] } = {}) => {
  const reports = ['report_sources', 'report_imports', 'report_lines', 'report_days', 'report_calls'] as const
  const tables = ['logs', 'usage_hours', ...reports] as const
  for (const table of tables) await database.query.deleteFrom(table).execute()
  const egress = createEgressGuard({ allow: more.allow ?? [], operator: true })
  const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
  const clock = () => (firstDay + 20 * day) * 1000
  const traces: unknown[] = []
  const warnings: unknown[] = []
  const audit = { record: async (trace: unknown) => void traces.push(trace) }
  const store = openImportStore(database)
  const sources = createSources({
    database,
    store: openSourceStore(database),
    imports: store,
    secrets,
    audit,
    egress,
    clock,
  })
  const settings = priceSettings(listed)
  const imports = createImports({
    database,
    sources,
    store,
    ask: { upstream: openUndiciUpstream({ egress }), egress, rest: async () => {} },
    ownUsage: createReadOwnUsage({
      database,
      logs: database,
      upstreamModelOf: (_, model) => model,
      quotaPerUnit: () => settings.quotaPerUnit,
    }),
    ownCalls: createReadOwnCalls(database, () => settings.quotaPerUnit),
    listCostOf: openListCost(() => settings),
    audit,
    log: { warn: (event, facts) => void warnings.push({ event, ...facts }) },
    clock,
  })
  const call = signedIn((on) => reconciliationRoutes(on, { sources, imports }), { id: 1, username: 'root', role: 100 })

  const data = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { json } = await call(method, path, body)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }

  const addSource = (change: Record<string, unknown>): Promise<{ id: number }> =>
    data('POST', '/api/reconciliation/sources', {
      kind: 'openai',
      name: 'provider',
      channel_ids: [3],
      settings: {},
      ...change,
    })

  const detail = (id: number): Promise<Detail> => data('GET', `/api/reconciliation/imports/${id}`)

  return {
    call,
    data,
    traces,
    warnings,
    addSource,
    detail,
    /** Imports and waits until it has ended. */
    async import(sourceId: number, what: Record<string, unknown> = {}): Promise<Detail> {
      const body = { source_id: sourceId, from: firstDay, until: firstDay + day, ...what }
      const { id } = await data<{ id: number }>('POST', '/api/reconciliation/imports', body)
      await imports.close()
      return detail(id)
    },
    list: (): Promise<{ items: ReportImport[]; total: number }> => data('GET', '/api/reconciliation/imports'),
    /** Writes calls as the ledger writes them: rows of the log, and the hourly sums. */
    async log(...calls: readonly LoggedCall[]): Promise<void> {
      const rows = calls.map(({ channel = 3, upstream, providerId, upstreamCost, ...one }) => {
        const row = chargedRow(one, listed)
        const attempt = { channel, started_ms: 0, duration_ms: 9, status: 200, error: '' }
        const other = {
          ...JSON.parse(String(row.other)),
          ...(upstream ? { upstream_model_name: upstream } : {}),
          admin_info: {
            ...(providerId ? { attempts: [{ ...attempt, request_id: providerId }] } : {}),
            ...(upstreamCost === undefined ? {} : { cost: { quota: upstreamCost, version: 'channel', factor: '1' } }),
          },
        }
        return { ...row, channel_id: channel, other: JSON.stringify(other) }
      })
      await database.insertMany('logs', rows)
      await database.transaction((trx) => addUsage(trx, usageOf(groupCalls(rows.map(recordOf)))))
    },
  }
}

const recordOf = (row: Record<string, unknown>): RequestRecord => ({
  id: String(row.request_id),
  at: Number(row.created_at) * 1000,
  kind: 'charge',
  userId: Number(row.user_id),
  username: String(row.username),
  tokenId: Number(row.token_id),
  tokenName: String(row.token_name),
  channelId: Number(row.channel_id),
  model: String(row.model_name),
  group: String(row.group),
  quota: Number(row.quota),
  promptTokens: Number(row.prompt_tokens),
  completionTokens: Number(row.completion_tokens),
  useTime: 1,
  isStream: false,
  ip: '',
  content: '',
  other: {},
  receipt: undefined,
})
