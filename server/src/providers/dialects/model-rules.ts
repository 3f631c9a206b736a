import { ownMember } from '@tollgate/contract/own-member'
import { effortIn } from '../../dialects/conversation/effort.ts'
import { isObject, type JsonObject, listOf, membersOf, textIn } from '../../dialects/conversation/json.ts'
import {
  type ModelRules,
  modelRules,
  nearestEffort,
  rulesOf,
  takesSampling,
} from '../../dialects/openai-chat/model-rules.ts'
import type { Adjustment, Ask } from '../provider.ts'

/** Changes a request as its model's row says (`dialects/openai-chat/model-rules.ts`), in place where it is passed through. */

type Changes = Record<string, unknown>

const isChat = (path: string): boolean => path.endsWith('/chat/completions')
const isResponses = (path: string): boolean => path.endsWith('/responses')

/** Some clients say the effort with the name of an o-series model: `o3-mini-high`. */
const effortSuffix = /^(o[13].*)-(high|medium|low)$/

const moveLimit = (body: JsonObject, { limit }: ModelRules, changes: Changes): void => {
  if (limit === undefined) return
  const other = limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  if (body[other] === undefined) return
  changes[other] = undefined
  if (!body[limit] && body[other]) changes[limit] = body[other]
}

/** Settings of sampling, and what each is worth when it asks for nothing. */
const sampling: readonly (readonly [string, unknown])[] = [
  ['temperature', 1],
  ['top_p', 1],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
  ['logit_bias', null],
  ['logprobs', false],
  ['top_logprobs', 0],
]

/** Takes a member away; it counts as lost where it asked for something. */
const drop = (body: JsonObject, name: string, usual: unknown, changes: Changes, lost: string[]): void => {
  const value = ownMember(body, name)
  if (value === undefined) return
  Object.assign(changes, { [name]: undefined })
  const isEmpty = Array.isArray(value) && value.length === 0
  if (value !== null && value !== usual && !isEmpty) lost.push(name)
}

/** A schema as an instruction, for models that are only asked for JSON; they want to hear the word, too. */
const schemaInstruction = (schema: unknown): string =>
  `Answer with one JSON object and nothing else. It must fit this JSON schema: ${JSON.stringify(schema)}`

const adjustFormat = (
  body: JsonObject,
  { formats }: ModelRules,
  changes: Changes,
  lost: string[],
): { leadingSystem?: string } => {
  const format = body.response_format
  if (formats === undefined || !isObject(format) || format.type !== 'json_schema') return {}
  changes.response_format = formats === 'object' ? { type: 'json_object' } : undefined
  lost.push('response_format.json_schema')
  return { leadingSystem: schemaInstruction(membersOf(format.json_schema).schema ?? {}) }
}

/** A model that takes no effort at all refuses it in its own words: who asks it for one has chosen the wrong model. */
const adjustEffort = (
  asked: string | undefined,
  { efforts = [] }: ModelRules,
  changes: Changes,
  lost: string[],
): void => {
  const effort = effortIn(asked)
  if (effort === undefined || efforts.length === 0 || efforts.includes(effort)) return
  changes.reasoning_effort = nearestEffort(efforts, effort)
  lost.push('reasoning_effort')
}

const roleOf = (message: unknown): unknown => (isObject(message) ? message.role : undefined)

const rolesFor = (body: JsonObject, { instructions }: ModelRules): Pick<Adjustment, 'firstRole' | 'developerRole'> => {
  if (instructions === undefined) return {}
  const messages = listOf(body.messages)
  if (instructions === 'developer') return roleOf(messages[0]) === 'system' ? { firstRole: 'developer' } : {}
  return messages.some((message) => roleOf(message) === 'developer') ? { developerRole: 'system' } : {}
}

/** Rows that change no request, as those of most models that do not think: their calls need no closer look. */
const unchanged: ReadonlySet<ModelRules> = new Set(
  modelRules.filter((row) =>
    [row.limit, row.instructions, row.sampling, row.stop, row.several, row.parallelCalls, row.formats].every(
      (rule) => rule === undefined,
    ),
  ),
)

const adjustChat = (ask: Ask, rules: ModelRules, effort: string | undefined): Adjustment | undefined => {
  const { body } = ask
  const changes: Changes = {}
  const lost: string[] = []
  moveLimit(body, rules, changes)
  adjustEffort(textIn(body.reasoning_effort), rules, changes, lost)
  if (!takesSampling(rules, effort)) for (const [name, usual] of sampling) drop(body, name, usual, changes, lost)
  if (rules.stop === false) drop(body, 'stop', undefined, changes, lost)
  if (rules.several === false) drop(body, 'n', 1, changes, lost)
  if (rules.parallelCalls === false) drop(body, 'parallel_tool_calls', true, changes, lost)
  const messages = { ...rolesFor(body, rules), ...adjustFormat(body, rules, changes, lost) }
  return adjustment(messages, changes, lost)
}

const isEmpty = (members: object): boolean => Object.keys(members).length === 0

const adjustment = (messages: Adjustment, members: Changes, lost: readonly string[]): Adjustment | undefined => {
  if (isEmpty(members) && isEmpty(messages)) return undefined
  return { ...messages, ...(isEmpty(members) ? {} : { members }), ...(lost.length === 0 ? {} : { lost }) }
}

const samplingOfResponses = sampling.filter(([name]) => name === 'temperature' || name.startsWith('top_'))

const adjustResponses = ({ body }: Ask, rules: ModelRules): Adjustment | undefined => {
  const effort = textIn(membersOf(body.reasoning).effort)
  if (takesSampling(rules, effort)) return undefined
  const changes: Changes = {}
  const lost: string[] = []
  for (const [name, usual] of samplingOfResponses) drop(body, name, usual, changes, lost)
  return adjustment({}, changes, lost)
}

/** What the table changes of a request; undefined where it says nothing about the model. */
export const byModelRules = (ask: Ask): Adjustment | undefined => {
  if (isResponses(ask.path)) {
    const rules = rulesOf(ask.model)
    return rules && adjustResponses(ask, rules)
  }
  if (!isChat(ask.path)) return undefined
  const [, name = ask.model, suffix] = effortSuffix.exec(ask.model) ?? []
  const rules = rulesOf(name)
  if (rules === undefined) return undefined
  if (unchanged.has(rules) && (rules.efforts ?? []).length === 0) return undefined
  const effort = suffix ?? textIn(ask.body.reasoning_effort)
  const changed = adjustChat(ask, rules, effort)
  if (effort === undefined || effort === '') return changed
  if (suffix === undefined) return { ...changed, effort }
  return { ...changed, effort, model: name, members: { ...changed?.members, reasoning_effort: suffix } }
}

/** The table's changes, and then a provider's own. */
export const withModelRules =
  (own: ((ask: Ask) => Adjustment | undefined) | undefined) =>
  (ask: Ask): Adjustment | undefined => {
    const rules = byModelRules(ask)
    const its = own?.(ask)
    if (its === undefined || rules === undefined) return its ?? rules
    return { ...rules, ...its, members: { ...rules.members, ...its.members } }
  }
