import { AppError } from '../../lib/app-error.ts'
import { hidesLetters } from '../../lib/json/twin-members.ts'
import type { RelayCall } from '../call.ts'
import type { Caller, ChannelSnapshot, Channels, RelayChannel } from '../ports.ts'
import { makerOf, mayRead } from '../reader.ts'
import { servingTo } from '../routing/channel-fence.ts'
import { channelsFor } from '../routing/virtual/target-channels.ts'
import { type RelayVirtualModel, targetsOf } from '../routing/virtual/virtual-model.ts'
import { madeModelOf } from './created-models.ts'
import { toolObjects } from './created-objects.ts'
import {
  type DirectFenceParts,
  foundOf,
  hidesNames,
  isFenced,
  objectNotFound,
  placeOf,
  twinDetail,
} from './direct-fence.ts'
import { namedObjects } from './named-objects.ts'
import { isAt, type MadeObject, nameText, type ObjectName } from './ports.ts'

export interface FileFenceParts extends Pick<DirectFenceParts, 'madeObjects'> {
  readonly storedResponses: Pick<DirectFenceParts['storedResponses'], 'keyHashOf'>
  readonly channels: Pick<Channels, 'snapshot'>
}

/** Protects objects of direct calls from ordinary calls of others. */
export interface FileFence {
  /**
   * The call, bound to the account that stores the files that it names; synchronous unless it names files or a fine-tuned model. Throws
   * AppError('object_not_found') for objects of others and, where channels accept direct calls, for objects without a known maker;
   * AppError('model_not_found') for a fine-tuned model of another maker.
   */
  bound(call: RelayCall): RelayCall | Promise<RelayCall>
  /** Models without the fine-tuned ones of other makers; synchronous where there are none. */
  modelsFor(caller: Caller, models: readonly string[]): readonly string[] | Promise<readonly string[]>
}

/**
 * Kinds of provider objects in ordinary calls. Objects that the gateway itself stores or notes are protected elsewhere, so an unknown
 * maker of one of `turnKinds` is allowed.
 */
const kinds: ReadonlySet<string> = new Set(['files', 'vector_stores', 'containers', 'skills', 'file_search_stores'])

const turnKinds: ReadonlySet<string> = new Set(['responses', 'conversations', 'items'])

/** Parts of the names of the members that name them. */
const marks = [
  'file_id',
  'fileUri',
  'file_uri',
  'vector_store_id',
  'container',
  'skill_id',
  'previous_response_id',
  '"conversation"',
  'item_reference',
  'ileSearchStore',
  'ile_search_store',
]

/** Marks of requests whose answers may contain objects of provider tools: containers, and files in them. */
const toolMarks = ['code_execution', 'code_interpreter', 'container', '"shell"']

const mayReadAll = (caller: Caller, claims: readonly MadeObject[]): boolean =>
  claims.every(({ maker }) => mayRead(caller, maker))

const holdsOne = (raw: Buffer, texts: readonly string[]): boolean => texts.some((text) => raw.includes(text))

/** A name may be written with escapes. */
const mayNameOne = (raw: Buffer): boolean => holdsOne(raw, marks) || hidesLetters(raw)

/** The channels that calls of a caller for a model may reach; of a virtual model, those of all its targets. */
export const reachableBy = (
  { caller, model, virtual }: Pick<RelayCall, 'caller' | 'model'> & { readonly virtual: RelayVirtualModel | undefined },
  snapshot: ChannelSnapshot,
): readonly RelayChannel[] =>
  virtual === undefined
    ? servingTo(caller, model, snapshot)
    : targetsOf(virtual).flatMap((target) => channelsFor(target, servingTo(caller, target.model, snapshot)))

export const createFileFence = ({ madeObjects, storedResponses, channels }: FileFenceParts): FileFence => {
  const { keyHashOf } = storedResponses

  /** Channels that may answer the call. */
  const candidates = ({ caller, model, route }: RelayCall): readonly RelayChannel[] => {
    const snapshot = channels.snapshot()
    const forced = caller.forcedChannel === undefined ? undefined : snapshot.byId(caller.forcedChannel)
    if (forced !== undefined) return [forced]
    return reachableBy({ caller, model, virtual: route?.virtual }, snapshot)
  }

  const mayReachFenced = (call: RelayCall): boolean => call.plan?.fenced ?? candidates(call).some(isFenced)

  /** Claims of makers on an object; those on shared channels do not count. */
  const claimsOf = (found: ReadonlyMap<string, readonly MadeObject[]>, name: ObjectName): readonly MadeObject[] => {
    const snapshot = channels.snapshot()
    const claims = found.get(nameText(name)) ?? []
    return claims.filter(({ channelId }) => snapshot.byId(channelId)?.passthrough?.shared !== true)
  }

  /** Checks responses and items that a turn continues. Throws AppError('object_not_found') for those that another maker created by a direct call. */
  const checkTurns = async (call: RelayCall, turns: readonly ObjectName[]): Promise<RelayCall> => {
    const found = turns.length === 0 ? undefined : await madeObjects.find(turns)
    if (found === undefined) return call
    for (const name of turns) if (!mayReadAll(call.caller, claimsOf(found, name))) throw objectNotFound(name)
    return call
  }

  const bind = async (call: RelayCall, names: readonly ObjectName[]): Promise<RelayCall> => {
    const snapshot = channels.snapshot()
    const { caller } = call
    const mayBeFenced = mayReachFenced(call)
    const found = await foundOf(madeObjects, names, mayBeFenced ? names : [])
    const claimed = (name: ObjectName): readonly MadeObject[] => claimsOf(found, name)
    for (const name of names) if (!mayReadAll(caller, claimed(name))) throw objectNotFound(name)
    const [unknown] = names.filter((name) => claimed(name).length === 0)
    if (unknown !== undefined && mayBeFenced) throw objectNotFound(unknown)
    const known = names.filter((name) => claimed(name).length > 0)
    const [first] = known.flatMap(claimed)
    // Another maker may have made it on the channels of another model.
    if (first === undefined) return { ...call, withModel: undefined }
    const channel = snapshot.byId(first.channelId)
    const place = channel && placeOf(channel, keyHashOf)
    const elsewhere = known.find((name) => !claimed(name).some((claim) => place === undefined || isAt(claim, place)))
    if (elsewhere !== undefined) throw objectNotFound(elsewhere)
    return { ...call, place: { channel, key: channel?.keys.find((key) => keyHashOf(key) === first.keyHash) } }
  }

  const noteTools =
    ({ caller }: RelayCall): RelayCall['made'] =>
    (answer, place) => {
      const names = toolObjects(answer).filter(({ kind }) => kinds.has(kind))
      if (names.length > 0) madeObjects.note(names, makerOf(caller), place)
    }

  const withFiles = (call: RelayCall, mayBeFenced: boolean): RelayCall | Promise<RelayCall> => {
    const noted = mayBeFenced && holdsOne(call.raw, toolMarks) ? { ...call, made: noteTools(call) } : call
    if (!mayNameOne(call.raw)) return noted
    if (call.form === undefined && hidesNames(call.raw, call.body))
      throw new AppError('invalid_request_body', { params: { detail: twinDetail } })
    const { named } = namedObjects(call.body)
    const turns = named.filter(({ kind }) => turnKinds.has(kind))
    const names = named.filter(({ kind }) => kinds.has(kind))
    if (turns.length > 0)
      return checkTurns(noted, turns).then((checked) => (names.length === 0 ? checked : bind(checked, names)))
    return names.length === 0 ? noted : bind(noted, names)
  }

  /** Checks a fine-tuned model: it is for its maker alone, even where a channel offers it. Others are up to the operator. */
  const withMadeModel = async (call: RelayCall, name: ObjectName, mayBeFenced: boolean): Promise<RelayCall> => {
    const claims = claimsOf(await madeObjects.find([name]), name)
    if (!mayReadAll(call.caller, claims)) throw new AppError('model_not_found', { params: { model: call.model } })
    return withFiles(call, mayBeFenced)
  }

  const withoutOthers = async (
    caller: Caller,
    models: readonly string[],
    made: readonly string[],
  ): Promise<readonly string[]> => {
    const names = new Map(made.map((model) => [model, madeModelOf(model)]))
    const found = await madeObjects.find([...names.values()].filter((name) => name !== undefined))
    return models.filter((model) => {
      const name = names.get(model)
      return name === undefined || mayReadAll(caller, claimsOf(found, name))
    })
  }

  return {
    bound(call) {
      const mayBeFenced = mayReachFenced(call)
      if (!mayBeFenced && !madeObjects.any) return call
      // An alias of the operator makes the model available to all who may use the alias.
      const model = madeModelOf(call.askedName ?? call.model)
      return model === undefined ? withFiles(call, mayBeFenced) : withMadeModel(call, model, mayBeFenced)
    },

    modelsFor(caller, models) {
      const made = madeObjects.any ? models.filter((model) => madeModelOf(model) !== undefined) : []
      return made.length === 0 ? models : withoutOthers(caller, models, made)
    },
  }
}
