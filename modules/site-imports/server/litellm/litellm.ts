import type { ImportKind } from '@tollgate/contract'
import type { OpenSite } from '../site.ts'
import { countOf, noteMissing, nothing } from '../source/source.ts'
import { readOwnAliases } from './aliases.ts'
import { litellmChannels, readModels } from './channels.ts'
import { litellmLimits } from './limits.ts'
import { litellmLogs, logTable } from './logs.ts'
import { readModelNames } from './model-names.ts'
import { configTable, readConfig } from './options.ts'
import { litellmPrices } from './prices.ts'
import { readStructure } from './structure.ts'
import { litellmTokens, tokenTable } from './tokens.ts'
import { litellmUsers } from './users.ts'
import { litellmVirtualModels, namesOfAll } from './virtual-models.ts'

const tables: Readonly<Partial<Record<ImportKind, string>>> = {
  option: configTable,
  user: 'LiteLLM_UserTable',
  token: tokenTable,
  channel: 'LiteLLM_ProxyModelTable',
  log: logTable,
}

/** Tables that only later versions have are not missed. */
const neededTables = [...Object.values(tables), 'LiteLLM_TeamTable', 'LiteLLM_BudgetTable', 'LiteLLM_OrganizationTable']

/** Tables that are not imported, as an operator calls them. */
const leftTables = [
  ['LiteLLM_EndUserTable', 'customers (end users)'],
  ['LiteLLM_TagTable', 'tags with budgets'],
  ['LiteLLM_MCPServerTable', 'MCP servers'],
  ['LiteLLM_AgentsTable', 'agents'],
  ['LiteLLM_GuardrailsTable', 'guardrails'],
  ['LiteLLM_PolicyTable', 'policies'],
  ['LiteLLM_PromptTable', 'prompts'],
  ['LiteLLM_ManagedVectorStoresTable', 'vector stores'],
  ['LiteLLM_ManagedFileTable', 'managed files'],
  ['LiteLLM_SearchToolsTable', 'search tools'],
  ['LiteLLM_SkillsTable', 'skills'],
  ['LiteLLM_SSOConfig', 'single sign-on'],
  ['LiteLLM_JWTKeyMapping', 'keys by JWT'],
  ['LiteLLM_DeprecatedVerificationToken', 'keys before their rotation'],
] as const

/** LiteLLM's proxy: people, organisations and keys with budgets in dollars, and the models of its database. */
export const openLitellm: OpenSite = async (parts) => {
  const { source, notes } = parts
  if (!(await source.columns(tokenTable)).has('token')) {
    throw new Error(`This is no database of LiteLLM: it has no table "${tokenTable}".`)
  }
  const models = await readModels(parts)
  const config = await readConfig(parts)
  const aliases = await readOwnAliases(parts)
  const names = await readModelNames(parts, models, namesOfAll(config.router, aliases))
  const structure = await readStructure(parts, names, (id) => [...aliases.ofTeam(id).keys()])
  return {
    product: 'litellm',
    async total(kind) {
      const table = tables[kind]
      return table === undefined ? 0 : countOf(source, table)
    },
    options: async () => [...config.options, ...litellmPrices(models, parts)],
    users: () => litellmUsers(parts, structure),
    async *organisations() {
      yield structure.organisations
    },
    async *teams() {
      yield structure.movedTeams
    },
    async *projects() {
      yield structure.projects
    },
    async *members() {
      yield structure.members
    },
    tokens: () => litellmTokens(parts, structure, names),
    channels: () => litellmChannels(parts, models),
    async *virtualModels() {
      yield litellmVirtualModels(parts, { models, router: config.router, aliases, teams: structure.teams })
    },
    codes: nothing,
    secondFactors: nothing,
    limits: () => litellmLimits(parts, { structure, models, timeZone: config.timeZone }),
    logs: () => litellmLogs(parts, structure),
    async noteRest() {
      await noteMissing(parts, neededTables)
      if (models.length === 0) notes.note('channel_none', 'LiteLLM_ProxyModelTable')
      for (const [table, name] of leftTables) {
        const count = await countOf(source, table)
        if (count > 0) notes.note('rest_left', `${name}: ${count}`)
      }
    },
  }
}
