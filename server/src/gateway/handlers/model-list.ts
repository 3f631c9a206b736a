import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '../../dialects/dialect.ts'
import { modelEntry } from '../../providers/model-entry.ts'
import type { Caller, ChannelSnapshot } from '../../relay/ports.ts'
import { canAnswerTo } from '../../relay/routing/channel-fence.ts'
import type { AnnouncedEnd } from '../ports.ts'

/** Names of the models that a caller may use: its token's, or all of its group. */
export const modelsOf = (caller: Caller, snapshot: ChannelSnapshot): readonly string[] => {
  const { modelLimits, group, project } = caller
  const names = modelLimits === undefined ? snapshot.modelsOf(group) : [...modelLimits].sort()
  return project?.channels === undefined ? names : names.filter((name) => canAnswerTo(caller, name, snapshot))
}

/** The dialect in which a client asks for models: that of the path, else that of its headers; OpenAI's when undefined. */
export const listingDialect = (
  ofPath: Dialect | undefined,
  headers: IncomingHttpHeaders,
  dialects: readonly Dialect[],
): Dialect | undefined => ofPath ?? dialects.find(({ modelList }) => modelList?.isAskedFor(headers))

/** Milliseconds before its end from which lists mark a model as deprecated, as the console does. */
const announcedMs = 90 * 86_400_000

/** Members of an entry of OpenAI's list, with the names that Mistral's list uses. */
export interface DeprecatedModel {
  readonly deprecated: true
  /** `2026-12-31`, in UTC. */
  readonly deprecation: string
  readonly deprecation_replacement_model: string | null
}

/** Deprecation of a model in lists; undefined until 90 days before its end. `now` in milliseconds since 1970. */
export const deprecationOf = (end: AnnouncedEnd | undefined, now: number): DeprecatedModel | undefined =>
  end !== undefined && now >= Date.parse(`${end.day}T00:00:00Z`) - announcedMs
    ? { deprecated: true, deprecation: end.day, deprecation_replacement_model: end.replacedBy || null }
    : undefined

type Deprecation = (name: string) => DeprecatedModel | undefined

const openaiEntry = (name: string, deprecation: Deprecation) => ({ ...modelEntry(name), ...deprecation(name) })

/** One model in the form of a dialect; only OpenAI's has a place for its end. */
export const printModel = (
  dialect: Dialect | undefined,
  name: string,
  deprecation: Deprecation,
  headers: IncomingHttpHeaders,
): string =>
  JSON.stringify(
    dialect?.modelList?.entry(name) ?? {
      ...openaiEntry(name, deprecation),
      ...(isMistralClient(headers) ? mistralMembers : undefined),
      ...(isCohereClient(headers) ? cohereEntry(name, deprecation) : undefined),
    },
  )

/** Members that Mistral's clients require in an entry (docs.mistral.ai/api/endpoint/models). */
const mistralMembers = {
  type: 'base',
  capabilities: {
    completion_chat: true,
    completion_fim: false,
    function_calling: true,
    fine_tuning: false,
    vision: false,
    classification: false,
  },
} as const

/** Mistral's clients name themselves in this header alone. */
export const isMistralClient = ({ 'user-agent': agent }: IncomingHttpHeaders): boolean =>
  agent !== undefined && /mistral/i.test(agent)

/** Cohere's clients name themselves here too. */
const isCohereClient = ({ 'user-agent': agent }: IncomingHttpHeaders): boolean => agent?.startsWith('cohere') === true

/** A model as Cohere's clients read it, beside OpenAI's members (docs.cohere.com/reference/list-models). */
const cohereEntry = (name: string, deprecation: Deprecation) => ({
  name,
  is_deprecated: deprecation(name) !== undefined,
  endpoints: ['chat', 'embed', 'rerank'],
  finetuned: false,
})

/** Query and headers of a list request; `query` includes its question mark, or is empty. */
export interface ListRequest {
  readonly query: string
  readonly headers: IncomingHttpHeaders
}

/** The list, in one page unless the dialect has pages. */
export const printModels = (
  dialect: Dialect | undefined,
  names: readonly string[],
  deprecation: Deprecation,
  { query, headers }: ListRequest,
): string => {
  const more = isMistralClient(headers) ? mistralMembers : undefined
  const data = () => names.map((name) => ({ ...openaiEntry(name, deprecation), ...more }))
  // Cohere's clients find an empty list where `models` is missing.
  const models = isCohereClient(headers) ? { models: names.map((name) => cohereEntry(name, deprecation)) } : undefined
  return JSON.stringify(
    dialect?.modelList?.list(names, new URLSearchParams(query)) ?? {
      object: 'list',
      success: true,
      data: data(),
      ...models,
    },
  )
}
