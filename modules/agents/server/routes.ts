import { type AgentSetup, getAgentSetups, type ModelCard, mostAgentModels, type Token } from '@tollgate/contract'
import type { ConsoleCaller, On } from '#server/http/route.ts'
import { editorAgents } from './editor-agents.ts'
import type { Agent, AgentModel, SetupFacts } from './setup.ts'
import { terminalAgents } from './terminal-agents.ts'

/** All clients, in the order in which the console shows them. */
const agents: readonly Agent[] = [...terminalAgents, ...editorAgents]

/** The settings of all clients. */
const setupsFor = (facts: SetupFacts): AgentSetup[] =>
  agents.map(({ id, name, api, notes, write }) => ({ id, name, api, notes: [...notes], texts: [...write(facts)] }))

export interface AgentParts {
  /** An own key, masked. Throws AppError('not_found'). */
  token(
    caller: ConsoleCaller,
    ip: string,
    id: number,
  ): Promise<Pick<Token, 'key' | 'group' | 'model_limits' | 'model_limits_enabled'>>
  /** Names of the models of a group; of all groups that the user may use where it is empty. */
  modelsOf(caller: ConsoleCaller, group: string): readonly string[]
  cards(models: readonly string[]): Promise<readonly ModelCard[]>
  /** The option ServerAddress; empty where it is not set. */
  address(): string
}

const placeholder = 'sk-your-api-key'
const nothingYet: AgentModel = { name: 'model', context: 0, maxOutput: 0, thinks: false, takesPictures: false }

const modelOf = ({ model, context, max_output, can, takes }: ModelCard): AgentModel => ({
  name: model,
  context,
  maxOutput: max_output,
  thinks: can.includes('thinking'),
  takesPictures: takes.includes('image'),
})

/** Agents hold conversations; what says nothing of itself may hold some. */
const isForChats = ({ kind, hidden }: ModelCard): boolean => !hidden && (kind === 'chat' || kind === '')

const baseOf = (text: string): string => {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** The console's calls about coding agents. */
export const agentRoutes = (on: On, parts: AgentParts): void => {
  on(getAgentSetups, async ({ caller, ip, query }) => {
    const token = query.token === 0 ? undefined : await parts.token(caller, ip, query.token)
    const limits = token?.model_limits_enabled ? new Set(token.model_limits.split(',')) : undefined
    const allowed = parts
      .modelsOf(caller, token === undefined ? '' : token.group || caller.group)
      .filter((name) => limits?.has(name) ?? true)
    const isChosen = query.models.length > 0
    const cards = await parts.cards(isChosen ? query.models : allowed)
    const models = (isChosen ? cards : cards.filter(isForChats)).slice(0, mostAgentModels).map(modelOf)
    const address = baseOf(query.address || parts.address() || 'http://localhost:3000')
    const key = token === undefined ? placeholder : `sk-${token.key}`
    const main = models[0] ?? nothingYet
    return {
      data: { address, key, models: models.map(({ name }) => name), setups: setupsFor({ address, key, main, models }) },
    }
  })
}
