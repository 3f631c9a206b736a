import type { Kind } from '../kinds.ts'

/** How an operator declared a kind: without a price, as tokens of a piece, by a factor of all tokens, by a price of one call, or as another model. */
export type DeclaredAs =
  | { readonly as: 'informative' }
  | { readonly as: 'piece'; readonly piece: Kind }
  | { readonly as: 'factor'; readonly factor: number }
  /** Currency units. */
  | { readonly as: 'call'; readonly price: number }
  /** Price of another model. */
  | { readonly as: 'model'; readonly model: string }
  /** Of a model that had no price: one is known now. */
  | { readonly as: 'priced' }

/** Declarations of an operator by `declaredKey`. */
export type Declarations = Readonly<Record<string, DeclaredAs>>

/** Why a charge is provisional. */
export interface Reason {
  /** `usage`, `cache`, `geo`, `tool`, `tier`, `model`, and `price` for a model without one; other parts of the program have kinds of their own. */
  readonly kind: string
  /** The dialect of a usage member, the maker of a tier or tool, or where an answer names a model. */
  readonly place: string
  readonly name: string
  /** As it was reported. */
  readonly value: number | string
  /** Tokens or calls that were charged for it; absent for a tier and a place, which are factors. */
  readonly quantity?: number | undefined
}

/** Key of a kind: at most 200 characters, since names are bounded where they are read. */
export const declaredKey = ({ kind, place, name }: Pick<Reason, 'kind' | 'place' | 'name'>): string =>
  `${kind} ${place} ${name}`

/** The kind of findings about what calls cost the operator. No charge depends on them. */
export const costKind = 'cost'

/** Longest name of a model in a reason. */
const longestModel = 120

/** No list names the model: it is charged as another one of its family. */
export const noPrice = (model: string, { maker, chargedAs }: { maker: string; chargedAs: string }): Reason => ({
  kind: 'price',
  place: maker,
  name: model.slice(0, longestModel),
  value: chargedAs.slice(0, longestModel),
})

/** Items of a receipt for undeclared figures. */
export const unknownItems = {
  usage: 'unknown_tokens',
  cache: 'unknown_cache_write',
  geo: 'unknown_place',
} as const

/** The item of tokens at a place of a price that an operator declared. */
export const placeItem = 'place'

/** The dearest surcharge of a place that a maker publishes: Anthropic, OpenAI and xAI ask a tenth more for a region. */
export const dearestSurcharge = '0.1'
