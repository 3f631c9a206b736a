import type { ImportKind } from '@tollgate/contract'
import { logType } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedLog, MovedOption, OpenSite, OpenSiteParts } from '../site.ts'
import { moment, object, readRow, real, text, whole } from '../source/cells.ts'
import { countOf, noteMissing, pagesOf } from '../source/source.ts'
import { litellmChannels, readModels, type SourceModel } from './channels.ts'
import { unitsOf } from './figures.ts'
import { readTeams } from './teams.ts'
import { litellmTokens } from './tokens.ts'
import { litellmUsers } from './users.ts'

const tables: Readonly<Record<ImportKind, string>> = {
  option: 'LiteLLM_Config',
  user: 'LiteLLM_UserTable',
  token: 'LiteLLM_VerificationToken',
  channel: 'LiteLLM_ProxyModelTable',
  code: '',
  second_factor: '',
  log: 'LiteLLM_SpendLogs',
}

const configRow = z.object({ param_name: text, param_value: object })

/** Dollars per token as a ratio: 1 is 2 dollars per million tokens. Rounded where doubles leave dust. */
const ratioOf = (dollarsPerToken: number): number => Number((dollarsPerToken * 500_000).toPrecision(15))

const pricesOf = (models: readonly SourceModel[], { notes }: OpenSiteParts): readonly MovedOption[] => {
  const ratios = new Map<string, number>()
  const completions = new Map<string, number>()
  const unpriced = new Set<string>()
  for (const { name, figures } of models) {
    const { input_cost_per_token: input, output_cost_per_token: output } = figures
    if (input === undefined || input <= 0) {
      unpriced.add(name)
      continue
    }
    ratios.set(name, ratioOf(input))
    if (output !== undefined) completions.set(name, Number((output / input).toPrecision(15)))
  }
  for (const name of unpriced) if (!ratios.has(name)) notes.note('price_by_list', name)
  if (ratios.size === 0) return []
  return [
    { key: 'ModelRatio', text: JSON.stringify(Object.fromEntries(ratios)), made: true },
    { key: 'CompletionRatio', text: JSON.stringify(Object.fromEntries(completions)), made: true },
  ]
}

const readOptions = async (parts: OpenSiteParts): Promise<readonly MovedOption[]> => {
  const moved: MovedOption[] = []
  for await (const rows of pagesOf(parts.source, tables.option, 'param_name')) {
    for (const { param_name: part, param_value: values } of rows.map((cells) => configRow.parse(cells))) {
      for (const [name, value] of Object.entries(values)) {
        if (part === 'router_settings' && name === 'num_retries' && typeof value === 'number')
          moved.push({ key: 'RetryTimes', text: String(value) })
        else parts.notes.note('option_unknown', `${part}.${name}`)
      }
    }
  }
  return moved
}

const logRow = z.object({
  request_id: text,
  api_key: text,
  spend: real,
  prompt_tokens: whole,
  completion_tokens: whole,
  startTime: moment,
  endTime: moment,
  model: text,
  model_id: text,
  model_group: text,
  user: text,
  requester_ip_address: text,
  status: text,
})

async function* litellmLogs({ source, quotaPerUnit }: OpenSiteParts): AsyncGenerator<readonly MovedLog[]> {
  for await (const rows of pagesOf(source, tables.log, 'request_id', 1000)) {
    yield rows
      .map((cells) => readRow(logRow, cells, tables.log))
      .map((row) => ({
        sourceId: row.request_id,
        userId: row.user,
        tokenId: row.api_key,
        channelId: row.model_id,
        createdAt: row.startTime ?? 0,
        type: row.status === 'failure' ? logType.error : logType.consume,
        content: '',
        username: row.user,
        tokenName: '',
        modelName: row.model_group || row.model,
        quota: unitsOf(row.spend ?? 0, quotaPerUnit),
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        useTime: Math.max(0, (row.endTime ?? 0) - (row.startTime ?? 0)),
        isStream: false,
        group: 'default',
        ip: row.requester_ip_address,
        other: {},
      }))
  }
}

async function* nothing(): AsyncGenerator<never[]> {}

/** LiteLLM's proxy: users and keys with budgets in dollars, and the models of its database. */
export const openLitellm: OpenSite = async (parts) => {
  const { source, notes } = parts
  if (!(await source.columns(tables.token)).has('token')) {
    throw new Error('This is no database of LiteLLM: it has no table "LiteLLM_VerificationToken".')
  }
  const teams = await readTeams(parts)
  const models = await readModels(parts)
  return {
    product: 'litellm',
    async total(kind) {
      const rows = tables[kind] === '' ? 0 : await countOf(source, tables[kind])
      return kind === 'user' ? rows + teams.owners.length : rows
    },
    options: async () => [...(await readOptions(parts)), ...pricesOf(models, parts)],
    users: () => litellmUsers(parts, teams),
    tokens: () => litellmTokens(parts, teams),
    channels: () => litellmChannels(parts, models),
    codes: nothing,
    secondFactors: nothing,
    logs: () => litellmLogs(parts),
    async noteRest() {
      await noteMissing(parts, [...Object.values(tables), 'LiteLLM_TeamTable', 'LiteLLM_BudgetTable'].filter(Boolean))
      for (const team of teams.byId.values()) notes.note('token_team_budget', `${team.team_id}: ${team.team_alias}`)
    },
  }
}
