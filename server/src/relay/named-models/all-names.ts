import { looksLikeModels } from '../../billing/declared/request-members.ts'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { lowered } from './member-names.ts'
import { modelNamesIn } from './model-names-in.ts'
import { type NamedMember, namedIn } from './named-in.ts'

/** Models and routes that are named anywhere in a body, however it is built: batches, jobs, settings of sessions. */
export interface AllNames {
  readonly models: Set<string>
  /** A member that chooses a route, or else a host; undefined where there is none. */
  route: Pick<NamedMember, 'path' | 'chooses'> | undefined
  /** A member that some providers read as another one; undefined where there is none. */
  otherCase: string | undefined
}

/** An empty result. */
export const noNames = (): AllNames => ({ models: new Set(), route: undefined, otherCase: undefined })

/** Members with users' texts, or with names that clients chose. */
const others: ReadonlySet<string> = new Set([
  ...[
    'messages',
    'contents',
    'parts',
    'content',
    'tools',
    'functions',
    'parameters',
    'properties',
    'schema',
    'metadata',
  ],
  ...['arguments', 'args', 'input_schema', 'inputschema', 'parametersjsonschema', 'responseschema', 'response_schema'],
  ...['responsejsonschema', 'instructions', 'text', 'labels', 'custom_id', 'turn_detection', 'avatar', 'animation'],
])

/** Adds every model that a value names to `names`. */
export const addNames = (value: unknown, names: AllNames): void => {
  if (Array.isArray(value)) for (const entry of value) addNames(entry, names)
  else if (isObject(value)) addNamesOf(value, names)
}

const addNamesOf = (object: JsonObject, names: AllNames): void => {
  const found = namedIn(object)
  names.otherCase ??= found?.otherCase
  for (const member of found?.members ?? []) {
    if (member.chooses === 'route' || (member.chooses === 'host' && names.route === undefined)) names.route = member
    if (!member.implied) for (const model of member.models) names.models.add(model)
  }
  for (const [name, inner] of Object.entries(object)) {
    const low = lowered(name)
    if (looksLikeModels.test(low) && !/armor/.test(low))
      for (const model of modelNamesIn(inner)) names.models.add(model)
    if (!others.has(low)) addNames(inner, names)
  }
}
