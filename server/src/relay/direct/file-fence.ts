import type { RelayCall } from '../call.ts'
import type { Channels, RelayChannel } from '../ports.ts'
import { makerOf, mayRead } from '../reader.ts'
import { servingTo } from '../routing/channel-fence.ts'
import { channelsFor } from '../routing/virtual/target-channels.ts'
import { targetsOf } from '../routing/virtual/virtual-model.ts'
import { type DirectFenceParts, foundOf, isFenced, objectNotFound, placeOf } from './direct-fence.ts'
import { toolObjects } from './made-objects.ts'
import { namedObjects } from './named-objects.ts'
import { isAt, type MadeObject, nameText, type ObjectName } from './ports.ts'

export interface FileFenceParts extends Pick<DirectFenceParts, 'madeObjects'> {
  readonly storedResponses: Pick<DirectFenceParts['storedResponses'], 'keyHashOf'>
  readonly channels: Pick<Channels, 'snapshot'>
}

/** Keeps calls that are no direct ones from what others have made by direct calls. */
export interface FileFence {
  /**
   * The call, bound to where the files are that it names; at once unless it names some. Throws AppError('object_not_found') for what
   * its caller may not read, and, where channels may be called directly, for what nobody is known to have made.
   */
  bound(call: RelayCall): RelayCall | Promise<RelayCall>
}

/** What ordinary calls name of a provider's account; responses and conversations have their own fence. */
const kinds: ReadonlySet<string> = new Set(['files', 'vector_stores', 'containers', 'skills', 'file_search_stores'])

/** Parts of the names of the members that name them. */
const marks = [
  'file_id',
  'fileUri',
  'file_uri',
  'vector_store_id',
  'container',
  'skill_id',
  'ileSearchStore',
  'ile_search_store',
]

/** In requests whose answers may hold what tools of the provider made: containers, and files in them. */
const toolMarks = ['code_execution', 'code_interpreter', 'container', '"shell"']

const holdsOne = (raw: Buffer, texts: readonly string[]): boolean => texts.some((text) => raw.includes(text))

export const createFileFence = ({ madeObjects, storedResponses, channels }: FileFenceParts): FileFence => {
  const { keyHashOf } = storedResponses

  /** Where the call may go. */
  const candidates = ({ caller, model, route }: RelayCall): readonly RelayChannel[] => {
    const snapshot = channels.snapshot()
    const forced = caller.forcedChannel === undefined ? undefined : snapshot.byId(caller.forcedChannel)
    if (forced !== undefined) return [forced]
    if (route === undefined) return servingTo(caller, model, snapshot)
    return targetsOf(route.virtual).flatMap((target) => channelsFor(target, servingTo(caller, target.model, snapshot)))
  }

  const bind = async (call: RelayCall, names: readonly ObjectName[]): Promise<RelayCall> => {
    const snapshot = channels.snapshot()
    const { caller } = call
    const mayBeFenced = candidates(call).some(isFenced)
    const found = await foundOf(madeObjects, names, mayBeFenced ? names : [])
    // Where all is shared, every maker shares.
    const claimsOf = (name: ObjectName): readonly MadeObject[] =>
      (found.get(nameText(name)) ?? []).filter(({ channelId }) => {
        const channel = snapshot.byId(channelId)
        return channel?.passthrough?.shared !== true
      })
    for (const name of names)
      if (!claimsOf(name).every(({ maker }) => mayRead(caller, maker))) throw objectNotFound(name)
    const [unknown] = names.filter((name) => claimsOf(name).length === 0)
    if (unknown !== undefined && mayBeFenced) throw objectNotFound(unknown)
    const claimed = names.filter((name) => claimsOf(name).length > 0)
    const [first] = claimed.flatMap(claimsOf)
    // Another maker may have made it on the channels of another model.
    if (first === undefined) return { ...call, withModel: undefined }
    const channel = snapshot.byId(first.channelId)
    const place = channel && placeOf(channel, keyHashOf)
    const elsewhere = claimed.find((name) => !claimsOf(name).some((claim) => place === undefined || isAt(claim, place)))
    if (elsewhere !== undefined) throw objectNotFound(elsewhere)
    return { ...call, place: { channel, key: channel?.keys.find((key) => keyHashOf(key) === first.keyHash) } }
  }

  const noteTools =
    ({ caller }: RelayCall): RelayCall['made'] =>
    (answer, place) => {
      const names = toolObjects(answer).filter(({ kind }) => kinds.has(kind))
      if (names.length > 0) madeObjects.note(names, makerOf(caller), place)
    }

  return {
    bound(call) {
      const mayBeFenced = candidates(call).some(isFenced)
      if (!mayBeFenced && !madeObjects.any) return call
      const noted = mayBeFenced && holdsOne(call.raw, toolMarks) ? { ...call, made: noteTools(call) } : call
      if (!holdsOne(call.raw, marks)) return noted
      const names = namedObjects(call.body).named.filter(({ kind }) => kinds.has(kind))
      return names.length === 0 ? noted : bind(noted, names)
    },
  }
}
