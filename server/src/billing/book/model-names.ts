/** One way to read a model's name: an id, and the provider that it names, where it names one. */
export interface NamedModel {
  readonly id: string
  readonly provider?: string
}

/** Prefixes before a slash or a dot that name a provider of the catalogue. */
const providers: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai'],
  ['azure', 'azure'],
  ['azure_ai', 'azure'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['gemini', 'google'],
  ['vertex_ai', 'google'],
  ['vertex', 'google'],
  ['bedrock', 'aws'],
  ['aws', 'aws'],
  ['x-ai', 'x-ai'],
  ['xai', 'x-ai'],
  ['deepseek', 'deepseek'],
  ['mistral', 'mistral'],
  ['mistralai', 'mistral'],
  ['cohere', 'cohere'],
  ['groq', 'groq'],
  ['cerebras', 'cerebras'],
  ['together', 'together'],
  ['together_ai', 'together'],
  ['fireworks', 'fireworks'],
  ['fireworks_ai', 'fireworks'],
  ['perplexity', 'perplexity'],
  ['moonshotai', 'moonshotai'],
  ['moonshot', 'moonshotai'],
  ['minimax', 'minimax'],
  ['z-ai', 'zai'],
  ['zai', 'zai'],
  ['voyage', 'voyageai'],
  ['voyageai', 'voyageai'],
  ['openrouter', 'openrouter'],
  ['novita', 'novita'],
  ['cloudflare', 'cloudflare'],
])

const awsVendors =
  'ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|nvidia|openai|qwen|stability|twelvelabs|writer|zai'
/** `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, with or without the region. */
const awsId = new RegExp(`^(?:(?:us|eu|ap|apac|jp|au|ca|sa|global|us-gov)\\.)?(?:${awsVendors})\\.`, 'i')

/** Effort and thinking, which clients and gateways append to a name; they do not change the price of a token. */
const effort = /-(?:thinking(?:-\d+)?|nothinking|none|minimal|low|medium|high|xhigh|max|adaptive)$/

/** The date of a snapshot: `-2026-09-29` or `-20260929`. */
const date = /-20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])$/

const paths = [/^models\//, /^publishers\/[^/]+\/models\//]

const withoutPath = (name: string): string => {
  for (const path of paths) if (path.test(name)) return name.replace(path, '')
  return name
}

/** Without one suffix of effort, one `-latest`, or a date; that of a snapshot no list knows by its own name comes last. */
const plainer = (id: string): string[] => {
  const names = [
    id.replace('@', '-'),
    id.replace(/@.*$/, ''),
    id.replace(effort, ''),
    id.replace(/-latest$/, ''),
    id.replace(date, ''),
  ]
  return names.filter((name) => name !== id && name !== '')
}

const spellings = (id: string): string[] => {
  const first = plainer(id)
  return [...new Set([id, ...first, ...first.flatMap(plainer)])]
}

/**
 * The ways to read a model's name, the most literal first: as it stands, for the provider before a slash, as Bedrock and Vertex write
 * names, without effort, `-latest` and dates.
 */
export const readingsOf = (name: string): readonly NamedModel[] => {
  const id = withoutPath(name.trim().toLowerCase())
  const slash = id.indexOf('/')
  const provider = slash > 0 ? providers.get(id.slice(0, slash)) : undefined
  const readings: NamedModel[] = []
  if (awsId.test(id)) readings.push({ provider: 'aws', id })
  for (const spelling of spellings(id)) {
    if (provider !== undefined) readings.push({ provider, id: spelling.slice(slash + 1) })
    if (slash > 0) readings.push({ provider: 'openrouter', id: spelling })
    readings.push({ id: spelling })
    // Azure asks what the maker asks, and the catalogue has few models of its own there.
    if (provider === 'azure') readings.push({ id: spelling.slice(slash + 1) })
  }
  return readings
}

/** The ids in all readings of a name: what an operator may have named a price by. */
export const idsIn = (name: string): readonly string[] => [...new Set(readingsOf(name).map(({ id }) => id))]

/** The catalogue's provider that a name of other programs means. */
export const providerNamed = (name: string): string | undefined =>
  providers.get(name.toLowerCase()) ?? moreProviders.get(name.toLowerCase())

/** Names that other lists use and that no caller writes before a model. */
const moreProviders: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws'],
  ['google-vertex', 'google'],
  ['zhipuai', 'zhipuai'],
  ['togetherai', 'together'],
  ['fireworks-ai', 'fireworks'],
  ['cohere_chat', 'cohere'],
])
