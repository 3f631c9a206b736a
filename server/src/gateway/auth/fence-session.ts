import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { hasTwins } from '../../lib/json/twin-members.ts'
import type { RelayCall } from '../../relay/call.ts'
import { twinDetail } from '../../relay/direct/direct-fence.ts'
import { addNames, noNames } from '../../relay/named-models/all-names.ts'
import { lowered } from '../../relay/named-models/member-names.ts'
import type { Caller } from '../../relay/ports.ts'
import { checkNamed, type FencingParts, routeRefusal } from './fence-names.ts'
import { checkModel } from './model-checks.ts'

export interface FencedSession {
  readonly caller: Caller
  /** The model that the session is paid for, in each of its names. */
  readonly own: readonly string[]
  readonly parts: FencingParts
}

const invalid = (detail: string): AppError => new AppError('invalid_request_body', { params: { detail } })

/** Google names models by their whole path. */
const bareModel = (model: string): string => model.replace(/^(?:.*\/)?models\//, '')

/**
 * The models that settings of a session name beside its own, such as the one that makes transcripts. Throws AppError where its caller may not
 * use one of them.
 */
export const namedInSession = (settings: JsonObject, { caller, own, parts }: FencedSession): readonly string[] => {
  const names = noNames()
  addNames(settings, names)
  const { route, otherCase, models } = names
  if (otherCase !== undefined) throw invalid(`${shortText(otherCase, 100)} is read as another member by some providers`)
  const refusal = route === undefined ? undefined : routeRefusal(route, caller, parts.options)
  if (refusal !== undefined) throw refusal
  const named = [...models].map(bareModel).filter((model) => !own.includes(model))
  for (const model of named) checkNamed(caller, model, parts.channels)
  return named
}

/** Members of a client's event that hold settings: of the session, or of one response. */
const holdSettings: ReadonlySet<string> = new Set(['session', 'response', 'setup'])

/** Holds a session to the models that its key may use, while it runs. */
export interface SessionFence {
  /** The models that the session is made of so far: its own, and those that its settings and events name. One that is refused is taken out. */
  readonly models: Set<string>
  /** Why an event of the client must not go upstream, because it names what its key may not use; undefined for nearly all. */
  refusalOf(event: JsonObject, message: string, upstreamModel: string): AppError | undefined
  /** Takes the key as it is now. Throws AppError where it may not use one of the session's models any more. */
  renew(caller: Caller): void
}

const settingsRefusal = (settings: JsonObject, session: FencedSession, models: Set<string>): AppError | undefined => {
  try {
    for (const model of namedInSession(settings, session)) models.add(model)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

export interface SessionFenceParts extends Pick<FencingParts, 'channels'> {
  /** Those of the moment, since sessions last longer than options. */
  readonly options: () => FencingParts['options']
}

/** The fence of a session that begins; what its settings name was checked. */
export const openSessionFence = (
  call: Pick<RelayCall, 'model' | 'askedName' | 'caller' | 'named'>,
  { channels, options }: SessionFenceParts,
): SessionFence => {
  const { model, askedName = model, named = [] } = call
  const models = new Set([model, ...named])
  let { caller } = call
  return {
    models,
    refusalOf(event, message, upstreamModel) {
      for (const name in event) {
        const value = ownMember(event, name)
        if (!isObject(value) || !holdSettings.has(lowered(name))) continue
        if (name !== lowered(name))
          return invalid(`${shortText(name, 100)} is read as another member by some providers`)
        if (hasTwins(Buffer.from(message), event)) return invalid(twinDetail)
        const parts = { channels, options: options() }
        const refusal = settingsRefusal(value, { caller, own: [model, askedName, upstreamModel], parts }, models)
        if (refusal !== undefined) return refusal
      }
      return undefined
    },
    renew(now) {
      caller = now
      for (const one of models) checkModel(now, one)
    },
  }
}
