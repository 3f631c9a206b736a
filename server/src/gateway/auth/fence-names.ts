import { ownMember } from '@tollgate/contract/own-member'
import { looksLikeModels } from '../../billing/declared/request-members.ts'
import { isObject, type JsonObject, listOf, textOf } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import { hidesLetters } from '../../lib/json/twin-members.ts'
import type { RelayCall } from '../../relay/call.ts'
import { hidesNames, twinDetail } from '../../relay/direct/direct-fence.ts'
import type { AllNames } from '../../relay/named-models/all-names.ts'
import { lowered } from '../../relay/named-models/member-names.ts'
import { namesInQuery } from '../../relay/named-models/model-names-in.ts'
import { type NamedIn, type NamedMember, namedIn } from '../../relay/named-models/named-in.ts'
import type { Caller, Channels, RelayOptions } from '../../relay/ports.ts'
import { checkChannel, checkModel, checkModelName } from './model-checks.ts'

type CheckedBody = Pick<RelayCall, 'raw' | 'body' | 'form' | 'text' | 'survey' | 'embeds'>

export interface FencingParts {
  readonly channels: Channels
  readonly options: Pick<RelayOptions, 'modelMembers' | 'strictGroups'>
  /** True where the client's bytes go as they are. */
  readonly leavesNames?: true | undefined
}

interface Fencing {
  readonly caller: Caller
  /** The call's own model. */
  readonly model: string
  /** Of the address, with its question mark, or empty. */
  readonly query: string
  readonly parts: FencingParts
}

/** A body whose members name only models that its sender may use. */
export interface FencedBody {
  readonly body: CheckedBody
  /** The models that it names beside the call's own; absent for nearly all calls. */
  readonly named?: readonly string[]
  /** Members that were left out; absent for nearly all calls. */
  readonly removed?: readonly string[]
}

/** A body that was found to be harmless, but may hold a member twice. */
const nothingFound: NamedIn = { members: [], otherCase: undefined }

/** Types of tools that choose a model; where one stands twice in a tool, another may have been read. */
const typesOfTools = ['openrouter:', '"image_generation"']

const mayHideTool = ({ raw, body }: CheckedBody): boolean =>
  Object.hasOwn(body, 'tools') && (typesOfTools.some((type) => raw.includes(type)) || hidesLetters(raw))

const notAllowed = (model: string): AppError => new AppError('model_not_allowed', { params: { model } })

/** A key with a list may draw if an image model is on it, since it is unknown which one the provider uses. */
const mayImply = ({ modelLimits }: Caller): boolean =>
  modelLimits === undefined || [...modelLimits].some((model) => /image/i.test(model))

/** Checks a model that a request names beside its own: by the key's list, and by the channels of its group. Throws AppError. */
export const checkNamed = (caller: Caller, model: string, channels: Channels): void => {
  checkModelName(model)
  checkModel(caller, model)
  checkChannel(caller, model, channels, () => notAllowed(model))
}

/** Hosts of a model that a key may use are open to keys without a list, and to all where the operator wants that. */
const mayChooseHost = (caller: Caller, { modelMembers }: Pick<RelayOptions, 'modelMembers'>): boolean =>
  caller.modelLimits === undefined || modelMembers === 'models'

/** Why a member must not choose what it chooses; undefined where it may. */
export const routeRefusal = (
  { path, chooses }: Pick<NamedMember, 'path' | 'chooses'>,
  caller: Caller,
  options: Pick<RelayOptions, 'modelMembers'>,
): AppError | undefined =>
  chooses === undefined || (chooses === 'host' && mayChooseHost(caller, options))
    ? undefined
    : new AppError('route_not_allowed', { params: { member: shortText(path, 100) } })

/** Why a member must not go to a provider; undefined where it may. */
const refusalOf = (
  { path, models, chooses, implied }: NamedMember,
  caller: Caller,
  { channels, options }: FencingParts,
): AppError | undefined => {
  const refusal = routeRefusal({ path, chooses }, caller, options)
  if (refusal !== undefined) return refusal
  if (implied) return models[0] === undefined || mayImply(caller) ? undefined : notAllowed(models[0])
  try {
    for (const model of models) checkNamed(caller, model, channels)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Throws AppError('invalid_request_body') where servers read a body in different ways. */
const checkReading = ({ raw, body, form }: CheckedBody, { otherCase }: NamedIn): void => {
  if (otherCase !== undefined)
    throw new AppError('invalid_request_body', {
      params: { detail: `${shortText(otherCase, 100)} is read as another member by some providers` },
    })
  if (form === undefined && hidesNames(raw, body))
    throw new AppError('invalid_request_body', { params: { detail: twinDetail } })
}

/** True where the tool must be called, so that a request without it makes no sense. */
const forcesTool = ({ tool_choice: choice }: JsonObject, { path }: NamedMember): boolean =>
  isObject(choice) && textOf(choice.type) !== '' && path.endsWith(textOf(choice.type))

const isRemovable = (received: CheckedBody, refused: readonly NamedMember[], { caller, parts }: Fencing): boolean => {
  const { modelMembers, strictGroups } = parts.options
  if (parts.leavesNames === true || received.form !== undefined || received.embeds !== undefined) return false
  if (strictGroups.has(caller.group)) return false
  // Programs offer such tools with every call, whether they are used or not.
  return modelMembers === 'remove' || refused.every((one) => one.implied && !forcesTool(received.body, one))
}

const withoutModels = (config: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(config) ? config : {}).filter(([name]) => !looksLikeModels.test(lowered(name))),
  )

/** The body without these members. A tool goes alone, and of settings what chooses a model. */
const without = (received: CheckedBody, members: readonly NamedMember[]): CheckedBody => {
  const { raw, body } = received
  const changed = new Map<string, unknown>()
  const tools = new Set(members.flatMap(({ tool }) => (tool === undefined ? [] : [tool])))
  for (const { top, tool } of members) {
    if (tool !== undefined) changed.set(top, rest(ownMember(body, top), tools))
    else changed.set(top, /^generation_?config$/i.test(top) ? withoutModels(ownMember(body, top)) : undefined)
  }
  if (tools.size > 0 && changed.get('tools') === undefined && Object.hasOwn(body, 'tool_choice'))
    changed.set('tool_choice', undefined)
  const kept = Object.entries(body).filter(([name]) => !changed.has(name) || changed.get(name) !== undefined)
  const edits = Object.fromEntries(
    [...changed].map(([name, value]) => [name, value === undefined ? undefined : JSON.stringify(value)]),
  )
  return {
    ...received,
    raw: editMembers(raw, edits),
    body: Object.fromEntries(kept.map(([name, value]) => [name, changed.get(name) ?? value])),
    text: undefined,
  }
}

const rest = (tools: unknown, removed: ReadonlySet<number>): readonly unknown[] | undefined => {
  const kept = listOf(tools).filter((_, index) => !removed.has(index))
  return kept.length === 0 ? undefined : kept
}

/**
 * Holds a body to the models that its sender may use, wherever it names them. Throws AppError where it names another, or lets its provider
 * choose, unless the operator wants such members left out.
 */
export const fenceNames = (received: CheckedBody, fencing: Fencing): FencedBody => {
  const { caller, model, query, parts } = fencing
  const inQuery = namesInQuery(query).filter((name) => name !== model)
  for (const name of inQuery) checkNamed(caller, name, parts.channels)
  const found = namedIn(received.body) ?? (mayHideTool(received) ? nothingFound : undefined)
  if (found === undefined) return inQuery.length === 0 ? { body: received } : { body: received, named: inQuery }
  checkReading(received, found)
  const { members } = found
  const errors = members.map((member) => refusalOf(member, caller, parts))
  const refused = members.filter((_, index) => errors[index] !== undefined)
  if (refused.length > 0 && !isRemovable(received, refused, fencing)) throw errors.find((error) => error !== undefined)
  const isGone = ({ top, tool }: NamedMember): boolean => refused.some((one) => one.top === top && one.tool === tool)
  const kept = members.filter((member) => !isGone(member) && !member.implied)
  const named = [...new Set([...inQuery, ...kept.flatMap(({ models }) => models)])].filter((name) => name !== model)
  const removed = [...new Set(refused.map(({ path }) => shortText(path, 100)))]
  return {
    body: refused.length === 0 ? received : without(received, refused),
    ...(named.length === 0 ? undefined : { named }),
    ...(removed.length === 0 ? undefined : { removed }),
  }
}

/** Google and Vertex name models by their whole path. */
const bareModel = (model: string): string => model.replace(/^(?:.*\/)?models\//, '')

/** Holds a direct call to the list of its key. Throws AppError. */
export const checkDirectNames = (
  { models, route }: AllNames,
  caller: Caller,
  options: Pick<RelayOptions, 'modelMembers'>,
): void => {
  for (const model of models) {
    checkModelName(model)
    if (caller.modelLimits?.has(model) !== true) checkModel(caller, bareModel(model))
  }
  const refusal = route === undefined ? undefined : routeRefusal(route, caller, options)
  if (refusal !== undefined) throw refusal
}
