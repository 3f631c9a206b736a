import { ownMember } from '@tollgate/contract/own-member'
import { effortIn } from '../../dialects/conversation/effort.ts'
import { isObject, type JsonObject, listOf, membersOf, textIn } from '../../dialects/conversation/json.ts'
import { type ModelFacts, nearestEffort, takesSampling } from '../../dialects/facts/model-facts.ts'
import { modelFacts, rulesOf } from '../../dialects/facts/models.ts'
import type { Adjustment, OutgoingRequest } from '../provider.ts'

/** Adapts a request body to the rules of its model (`dialects/facts`). */

type Changes = Record<string, unknown>

const isChat = (path: string): boolean => path.endsWith('/chat/completions')
const isResponses = (path: string): boolean => path.endsWith('/responses')

/** Reasoning effort at the end of the name of an o-series model: `o3-mini-high`. */
const effortSuffix = /^(o[13].*)-(high|medium|low)$/

const moveLimit = (body: JsonObject, { limit }: ModelFacts, changes: Changes): void => {
  if (limit === undefined) return
  const other = limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  if (body[other] === undefined) return
  changes[other] = undefined
  if (!body[limit] && body[other]) changes[limit] = body[other]
}

/** Sampling settings and their defaults. */
const sampling: readonly (readonly [string, unknown])[] = [
  ['temperature', 1],
  ['top_p', 1],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
  ['logit_bias', null],
  ['logprobs', false],
  ['top_logprobs', 0],
]

/** Removes a member. It is reported as unsupported unless it has its default value. */
const drop = (body: JsonObject, name: string, defaultValue: unknown, changes: Changes, unsupported: string[]): void => {
  const value = ownMember(body, name)
  if (value === undefined) return
  Object.assign(changes, { [name]: undefined })
  const isEmpty = Array.isArray(value) && value.length === 0
  if (value !== null && value !== defaultValue && !isEmpty) unsupported.push(name)
}

/** The schema as an instruction, for models without JSON schemas. JSON mode requires the word JSON in the prompt. */
const schemaInstruction = (schema: unknown): string =>
  `Answer with one JSON object and nothing else. It must fit this JSON schema: ${JSON.stringify(schema)}`

const adjustFormat = (
  body: JsonObject,
  { formats }: ModelFacts,
  changes: Changes,
  unsupported: string[],
): { leadingSystem?: string } => {
  const format = body.response_format
  if (formats === undefined || !isObject(format) || format.type !== 'json_schema') return {}
  changes.response_format = formats === 'object' ? { type: 'json_object' } : undefined
  unsupported.push('response_format.json_schema')
  return { leadingSystem: schemaInstruction(membersOf(format.json_schema).schema ?? {}) }
}

/** Changes an unsupported effort to the nearest one. A model without any effort gets it unchanged and answers with an error. */
const adjustEffort = (
  requestedEffort: string | undefined,
  { efforts = [] }: ModelFacts,
  changes: Changes,
  unsupported: string[],
): void => {
  const effort = effortIn(requestedEffort)
  if (effort === undefined || efforts.length === 0 || efforts.includes(effort)) return
  changes.reasoning_effort = nearestEffort(efforts, effort)
  unsupported.push('reasoning_effort')
}

const roleOf = (message: unknown): unknown => (isObject(message) ? message.role : undefined)

const rolesFor = (body: JsonObject, { instructions }: ModelFacts): Pick<Adjustment, 'firstRole' | 'developerRole'> => {
  if (instructions === undefined) return {}
  const messages = listOf(body.messages)
  if (instructions === 'developer') return roleOf(messages[0]) === 'system' ? { firstRole: 'developer' } : {}
  return messages.some((message) => roleOf(message) === 'developer') ? { developerRole: 'system' } : {}
}

/** Rules that change no request, like those of most models without reasoning; calls of these models skip all checks. */
const unchanged: ReadonlySet<ModelFacts> = new Set(
  modelFacts.filter((row) =>
    [row.limit, row.instructions, row.sampling, row.stop, row.several, row.parallelCalls, row.formats].every(
      (rule) => rule === undefined,
    ),
  ),
)

const adjustChat = (
  request: OutgoingRequest,
  rules: ModelFacts,
  effort: string | undefined,
): Adjustment | undefined => {
  const { body } = request
  const changes: Changes = {}
  const unsupported: string[] = []
  moveLimit(body, rules, changes)
  adjustEffort(textIn(body.reasoning_effort), rules, changes, unsupported)
  if (!takesSampling(rules, effort))
    for (const [name, defaultValue] of sampling) drop(body, name, defaultValue, changes, unsupported)
  if (rules.stop === false) drop(body, 'stop', undefined, changes, unsupported)
  if (rules.several === false) drop(body, 'n', 1, changes, unsupported)
  if (rules.parallelCalls === false) drop(body, 'parallel_tool_calls', true, changes, unsupported)
  const messages = { ...rolesFor(body, rules), ...adjustFormat(body, rules, changes, unsupported) }
  return adjustment(messages, changes, unsupported)
}

const isEmpty = (members: object): boolean => Object.keys(members).length === 0

const adjustment = (messages: Adjustment, members: Changes, unsupported: readonly string[]): Adjustment | undefined => {
  if (isEmpty(members) && isEmpty(messages)) return undefined
  return { ...messages, ...(isEmpty(members) ? {} : { members }), ...(unsupported.length === 0 ? {} : { unsupported }) }
}

const samplingOfResponses = sampling.filter(([name]) => name === 'temperature' || name.startsWith('top_'))

const adjustResponses = ({ body }: OutgoingRequest, rules: ModelFacts): Adjustment | undefined => {
  const effort = textIn(membersOf(body.reasoning).effort)
  if (takesSampling(rules, effort)) return undefined
  const changes: Changes = {}
  const unsupported: string[] = []
  for (const [name, defaultValue] of samplingOfResponses) drop(body, name, defaultValue, changes, unsupported)
  return adjustment({}, changes, unsupported)
}

/** The changes that the rules of the model require; undefined for none. */
export const byModelRules = (request: OutgoingRequest): Adjustment | undefined => {
  if (isResponses(request.path)) {
    const rules = rulesOf(request.model)
    return rules && adjustResponses(request, rules)
  }
  if (!isChat(request.path)) return undefined
  const [, name = request.model, suffix] = effortSuffix.exec(request.model) ?? []
  const rules = rulesOf(name)
  if (rules === undefined) return undefined
  if (unchanged.has(rules) && (rules.efforts ?? []).length === 0) return undefined
  const effort = suffix ?? textIn(request.body.reasoning_effort)
  const changed = adjustChat(request, rules, effort)
  if (effort === undefined || effort === '') return changed
  if (suffix === undefined) return { ...changed, effort }
  return { ...changed, effort, model: name, members: { ...changed?.members, reasoning_effort: suffix } }
}

/** Combines the rules of the model with a provider's own changes, which take precedence. */
export const withModelRules =
  (own: ((request: OutgoingRequest) => Adjustment | undefined) | undefined) =>
  (request: OutgoingRequest): Adjustment | undefined => {
    const rules = byModelRules(request)
    const ownChanges = own?.(request)
    if (ownChanges === undefined || rules === undefined) return ownChanges ?? rules
    return { ...rules, ...ownChanges, members: { ...rules.members, ...ownChanges.members } }
  }
