import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { hasTwins } from '../../lib/json/twin-members.ts'
import { addNames, noNames } from '../../relay/named-models/all-names.ts'
import { lowered } from '../../relay/named-models/member-names.ts'
import type { Caller } from '../../relay/ports.ts'
import { checkNamed, type FencingParts, routeRefusal } from './fence-names.ts'

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
  const refusal = route === undefined ? undefined : routeRefusal(route, caller, parts.options())
  if (refusal !== undefined) throw refusal
  const named = [...models].map(bareModel).filter((model) => !own.includes(model))
  for (const model of named) checkNamed(caller, model, parts.channels)
  return named
}

/** Members of a client's event that hold settings: of the session, or of one response. */
const holdSettings: ReadonlySet<string> = new Set(['session', 'response', 'setup'])

/** Why an event of a client must not go upstream, because it names a model that its caller may not use; undefined for nearly all. */
export const eventRefusal = (event: JsonObject, message: string, session: FencedSession): AppError | undefined => {
  for (const name in event) {
    const value = event[name]
    if (!isObject(value) || !holdSettings.has(lowered(name))) continue
    if (name !== lowered(name)) return invalid(`${shortText(name, 100)} is read as another member by some providers`)
    try {
      namedInSession(value, session)
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
    if (hasTwins(Buffer.from(message), event)) return invalid('a member stands there twice')
  }
  return undefined
}
