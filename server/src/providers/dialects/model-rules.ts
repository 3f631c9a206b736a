import { ownMember } from '@tollgate/contract/own-member'
import { effortIn } from '../../dialects/conversation/effort.ts'
import { isObject, type JsonObject, listOf, membersOf, textIn } from '../../dialects/conversation/json.ts'
import { type HostFacts, hostOf } from '../../dialects/facts/hosts.ts'
import { type ModelFacts, nearestEffort, takesSampling } from '../../dialects/facts/model-facts.ts'
import { familyOf, rulesOf } from '../../dialects/facts/models.ts'
import { hasCombinedRoot, plainRoot } from '../../dialects/tools/plain-root.ts'
import type { Adjustment, OutgoingRequest } from '../provider.ts'
import { withJoinedInstructions } from './instruction-rules.ts'
import { memberChanges, withoutNulls } from './member-rules.ts'
import { responsesChanges } from './responses-rules.ts'
import { withAcceptedEffort, withForcedTool, withOfferedTool } from './thinking-rules.ts'
import { withAnsweredResults } from './turn-rules.ts'

/** Adapts a request body to the rules of its model (`dialects/facts`). */

type Changes = Record<string, unknown>

export const isChat = (path: string): boolean => path.endsWith('/chat/completions')
export const isResponses = (path: string): boolean => path.endsWith('/responses')

/** Reasoning effort at the end of the name of an o-series model: `o3-mini-high`. */
export const effortSuffix = /^(o[13].*)-(high|medium|low)$/

const moveLimit = (body: JsonObject, { limit }: ModelFacts, changes: Changes): void => {
  if (limit === undefined) return
  const other = limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  if (body[other] === undefined) return
  changes[other] = undefined
  if (!body[limit] && body[other]) changes[limit] = body[other]
}

/** Sampling settings and their defaults. */
export const sampling: readonly (readonly [string, unknown])[] = [
  ['temperature', 1],
  ['top_p', 1],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
  ['logit_bias', null],
  ['logprobs', false],
  ['top_logprobs', 0],
]

/** Removes a member. It is reported as unsupported unless it has its default value. */
const drop = (
  body: JsonObject,
  [name, defaultValue]: readonly [string, unknown],
  changes: Changes,
  unsupported: string[],
): void => {
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

export const rolesFor = (
  body: JsonObject,
  { instructions }: ModelFacts,
): Pick<Adjustment, 'firstRole' | 'developerRole'> => {
  if (instructions === undefined) return {}
  const messages = listOf(body.messages)
  if (instructions === 'developer') return roleOf(messages[0]) === 'system' ? { firstRole: 'developer' } : {}
  return messages.some((message) => roleOf(message) === 'developer') ? { developerRole: 'system' } : {}
}

/** A tool whose schema is one object; the same where it is. */
const plainTool = (tool: unknown): unknown => {
  if (!isObject(tool)) return tool
  if (isObject(tool.function) && hasCombinedRoot(tool.function.parameters)) {
    const { strict: _, parameters, ...rest } = tool.function
    return { ...tool, function: { ...rest, parameters: plainRoot(membersOf(parameters)) } }
  }
  if (Array.isArray(tool.tools)) {
    const within = plainTools(tool.tools)
    return within === undefined ? tool : { ...tool, tools: within }
  }
  if (!hasCombinedRoot(tool.parameters)) return tool
  const { strict: _, parameters, ...rest } = tool
  return { ...rest, parameters: plainRoot(membersOf(parameters)) }
}

/** Tools for models that refuse combinators at the root of a schema; undefined where no tool has one. */
const plainTools = (tools: unknown): readonly unknown[] | undefined => {
  const offered = listOf(tools)
  const plain = offered.map(plainTool)
  return plain.some((tool, place) => tool !== offered[place]) ? plain : undefined
}

const withPlainRoots = (body: JsonObject, family: ModelFacts | undefined, unsupported: string[]): Changes => {
  if (family?.plainRoots !== true) return {}
  const tools = plainTools(body.tools)
  const functions = plainTools(body.functions)
  if (tools === undefined && functions === undefined) return {}
  unsupported.push('tools.parameters')
  return { ...(tools === undefined ? {} : { tools }), ...(functions === undefined ? {} : { functions }) }
}

interface Known {
  readonly rules: ModelFacts | undefined
  readonly family: ModelFacts | undefined
  readonly host: HostFacts
}

const adjustChat = (
  request: OutgoingRequest,
  { rules, family, host }: Known,
  effort: string | undefined,
): Adjustment | undefined => {
  const unsupported: string[] = []
  const joined = family?.laterInstructions === false ? withJoinedInstructions(request.body.messages) : undefined
  if (joined?.moved) unsupported.push('messages.system.position')
  const placed = joined?.messages ?? request.body.messages
  const messages = (family?.answersResults === true ? withAnsweredResults(placed) : undefined) ?? joined?.messages
  const body = messages === undefined ? request.body : { ...request.body, messages }
  const { members, messages: edits, unsupported: refused } = memberChanges({ ...request, body }, host, family)
  const changes: Changes = { ...(messages === undefined ? {} : { messages }), ...members }
  unsupported.push(...refused)
  const thinking = family?.thinking
  if (thinking !== undefined) {
    Object.assign(changes, withAcceptedEffort(body, thinking, host, unsupported))
    Object.assign(changes, withForcedTool(body, thinking, host, unsupported))
  }
  Object.assign(changes, withOfferedTool(body, family?.claude, unsupported))
  Object.assign(
    changes,
    withPlainRoots(changes.tools === undefined ? body : { ...body, ...changes }, family, unsupported),
  )
  const roles = rules === undefined ? {} : byRules(body, rules, { effort, changes, unsupported })
  return adjustment({ ...roles, ...(edits.size === 0 ? {} : { messageMembers: edits }) }, changes, unsupported)
}

/** Limits of the maker's own API. */
const byRules = (
  body: JsonObject,
  rules: ModelFacts,
  { effort, changes, unsupported }: { effort: string | undefined; changes: Changes; unsupported: string[] },
): Pick<Adjustment, 'firstRole' | 'developerRole' | 'leadingSystem'> => {
  moveLimit(body, rules, changes)
  adjustEffort(textIn(body.reasoning_effort), rules, changes, unsupported)
  if (!takesSampling(rules, effort)) for (const member of sampling) drop(body, member, changes, unsupported)
  if (rules.stop === false) drop(body, ['stop', undefined], changes, unsupported)
  if (rules.several === false) drop(body, ['n', 1], changes, unsupported)
  if (rules.parallelCalls === false) drop(body, ['parallel_tool_calls', true], changes, unsupported)
  return { ...rolesFor(body, rules), ...adjustFormat(body, rules, changes, unsupported) }
}

const isEmpty = (members: object): boolean => Object.keys(members).length === 0

const adjustment = (messages: Adjustment, members: Changes, unsupported: readonly string[]): Adjustment | undefined => {
  if (isEmpty(members) && isEmpty(messages)) return undefined
  const lost = unsupported.length === 0 ? {} : { unsupported: [...new Set(unsupported)] }
  return { ...messages, ...(isEmpty(members) ? {} : { members }), ...lost }
}

export const samplingOfResponses = sampling.filter(([name]) => name === 'temperature' || name.startsWith('top_'))

const adjustResponses = (request: OutgoingRequest, { rules, family, host }: Known): Adjustment | undefined => {
  const { body } = request
  const effort = textIn(membersOf(body.reasoning).effort)
  const unsupported: string[] = []
  const changes: Changes = {
    ...withoutNulls(request, host, family),
    ...responsesChanges(body, host, family, unsupported),
  }
  Object.assign(
    changes,
    withPlainRoots(changes.tools === undefined ? body : { ...body, ...changes }, family, unsupported),
  )
  if (rules !== undefined && !takesSampling(rules, effort))
    for (const member of samplingOfResponses) drop(body, member, changes, unsupported)
  return adjustment({}, changes, unsupported)
}

/** The changes that the rules of the model and of its host require; undefined for none. */
export const byModelRules = (request: OutgoingRequest, host: HostFacts): Adjustment | undefined => {
  const [, name = request.model, suffix] = effortSuffix.exec(request.model) ?? []
  const known = { rules: rulesOf(name), family: familyOf(name), host }
  if (isResponses(request.path)) return adjustResponses(request, known)
  if (!isChat(request.path)) return adjustment({}, withoutNulls(request, host, known.family), [])
  const effort = suffix ?? textIn(request.body.reasoning_effort)
  const changed = adjustChat(request, known, effort)
  if (effort === undefined || effort === '' || known.rules === undefined) return changed
  if (changed === undefined && known.rules.efforts?.length === 0) return undefined
  if (suffix === undefined) return { ...changed, effort }
  return { ...changed, effort, model: name, members: { ...changed?.members, reasoning_effort: suffix } }
}

/** Combines the rules of the model and of its host with a provider's own changes, which take precedence. */
export const withModelRules = (
  provider: string,
  own: ((request: OutgoingRequest) => Adjustment | undefined) | undefined,
): ((request: OutgoingRequest) => Adjustment | undefined) => {
  const host = hostOf(provider)
  return (request) => {
    const rules = byModelRules(request, host)
    const messages = rules?.members?.messages
    const ownChanges = own?.(messages === undefined ? request : { ...request, body: { ...request.body, messages } })
    if (ownChanges === undefined || rules === undefined) return ownChanges ?? rules
    return { ...rules, ...ownChanges, members: { ...rules.members, ...ownChanges.members } }
  }
}
