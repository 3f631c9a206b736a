import { ownMember } from '@tollgate/contract/own-member'
import { defaultToolPrices } from '@tollgate/contract/prices'
import type { Price } from '../price.ts'
import { declaredKey } from './declarations.ts'
import { familyOf } from './families.ts'

type Sold = 'per call' | 'by another measure' | 'by tokens'

/**
 * Tools that run at providers, as receipts name them. `by tokens`: their calls cost nothing beside tokens. `by another measure`: their
 * price is of something else than a call, so it says nothing about a call of an undeclared tool.
 */
const declaredTools: Readonly<Record<string, { readonly sold: Sold; readonly by: readonly string[] }>> = {
  web_search: { sold: 'per call', by: ['openai', 'anthropic', 'xai', 'other'] },
  web_search_preview: { sold: 'per call', by: ['openai'] },
  file_search: { sold: 'per call', by: ['openai', 'xai'] },
  code_interpreter: { sold: 'per call', by: ['openai', 'xai'] },
  x_search: { sold: 'per call', by: ['xai'] },
  attachment_search: { sold: 'per call', by: ['xai'] },
  live_search: { sold: 'per call', by: ['xai'] },
  google_search: { sold: 'per call', by: ['google'] },
  google_search_query: { sold: 'per call', by: ['google'] },
  google_maps: { sold: 'per call', by: ['google'] },
  search_low: { sold: 'per call', by: ['perplexity'] },
  search_medium: { sold: 'per call', by: ['perplexity'] },
  search_high: { sold: 'per call', by: ['perplexity'] },
  search_query: { sold: 'per call', by: ['perplexity'] },
  image_generation: { sold: 'by tokens', by: ['openai', 'xai'] },
  web_fetch: { sold: 'by tokens', by: ['anthropic'] },
  code_execution: { sold: 'by tokens', by: ['anthropic', 'google'] },
  url_context: { sold: 'by tokens', by: ['google'] },
  input_transcription: { sold: 'by another measure', by: ['openai'] },
  cache_storage: { sold: 'by another measure', by: ['google'] },
}

const baseOf = (key: string): string => key.split(':', 1)[0] ?? key

/** The entry is for all models, or for some of this maker. */
const isOf = (key: string, family: string): boolean =>
  !key.includes(':') || familyOf(key.slice(key.indexOf(':') + 1)) === family

const dearestOf = (isIncluded: (key: string, by: readonly string[]) => boolean): number =>
  Object.entries(defaultToolPrices).reduce((most, [key, price]) => {
    const declared = ownMember(declaredTools, baseOf(key))
    return declared?.sold === 'per call' && isIncluded(key, declared.by) ? Math.max(most, price) : most
  }, 0)

/** The dearest price of a thousand calls that the tables know of a maker; of any maker where they know none of this one. */
const dearestOfFamily = (family: string): number => {
  const own = dearestOf((key, by) => by.includes(family) && isOf(key, family))
  return own > 0 ? own : dearestOf(() => true)
}

/** The dearest price per thousand calls among the tools that a model's maker has, in the price itself. */
const ownDearest = (tools: Price['tools'], family: string): number =>
  Object.entries(tools ?? {}).reduce((most, [name, price]) => {
    const declared = ownMember(declaredTools, name)
    return declared?.sold === 'per call' && declared.by.includes(family) ? Math.max(most, price) : most
  }, 0)

export interface ToolPrice {
  /** Currency units per thousand calls. */
  readonly price: number
  /** True where neither a price nor a table knows the tool: the price is the dearest that is known of its maker. */
  readonly unknown: boolean
}

/** The dearest price of a thousand calls of a tool of this model's maker, in its price and in the tables. */
export const dearestTool = ({ tools, model }: Pick<Price, 'tools' | 'model'>): number =>
  Math.max(dearestOfFamily(familyOf(model)), ownDearest(tools, familyOf(model)))

/** Tools that are sold in sizes, by what their names begin with. */
const sized = ['code_interpreter_'] as const

/** The dearest size of a tool that is sold in sizes; 0 for all others. */
const dearestSize = (tool: string): number => {
  const begin = sized.find((one) => tool.startsWith(one))
  if (begin === undefined) return 0
  return Object.entries(defaultToolPrices).reduce(
    (most, [key, price]) => (key.startsWith(begin) ? Math.max(most, price) : most),
    0,
  )
}

/** The price of a tool for a model. */
export const toolPrice = (tool: string, price: Pick<Price, 'tools' | 'model' | 'declared'>): ToolPrice => {
  const priced = price.tools === undefined ? undefined : ownMember(price.tools, tool)
  if (priced !== undefined) return { price: priced, unknown: false }
  if (ownMember(declaredTools, tool) !== undefined) return { price: 0, unknown: false }
  const { declared, model } = price
  const own = declared && ownMember(declared, declaredKey({ kind: 'tool', place: familyOf(model), name: tool }))
  if (own !== undefined) return { price: own.as === 'call' ? own.price * 1000 : 0, unknown: false }
  return { price: Math.max(dearestTool(price), dearestSize(tool)), unknown: true }
}
