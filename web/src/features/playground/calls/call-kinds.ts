import type { ModelCard } from '../../../lib/api/contract.ts'

/** Kinds of calls that the playground can make. */
export const callKinds = ['chat', 'image', 'speech', 'embedding', 'rerank', 'moderation'] as const
export type CallKind = (typeof callKinds)[number]

/** The relay's path of each kind. */
export const pathOf: Readonly<Record<CallKind, string>> = {
  chat: '/v1/chat/completions',
  image: '/v1/images/generations',
  speech: '/v1/audio/speech',
  embedding: '/v1/embeddings',
  rerank: '/v1/rerank',
  moderation: '/v1/moderations',
}

type Described = Pick<ModelCard, 'kind' | 'endpoints'>

/**
 * The call that a model is tried with: the first of its endpoints that the playground can use. A conversation where nothing
 * is known about the model; undefined where the playground has no call for it.
 */
export const callKindOf = (card: Described | undefined): CallKind | undefined => {
  if (card === undefined || card.kind === '') return 'chat'
  return card.endpoints.flatMap((path) => callKinds.filter((kind) => pathOf[kind] === path))[0]
}

/** The kinds of all models that are no conversations; undefined for one that cannot be tried. */
export const kindsOf = (
  cards: readonly (Described & Pick<ModelCard, 'model'>)[],
): ReadonlyMap<string, CallKind | undefined> =>
  new Map(cards.flatMap((card) => (callKindOf(card) === 'chat' ? [] : [[card.model, callKindOf(card)] as const])))

/** The kind of one model among them; a person may have chosen another call for the model in use. */
export const kindIn = (
  kinds: ReadonlyMap<string, CallKind | undefined>,
  model: string,
  chosen: { readonly model: string; readonly kind?: CallKind | undefined },
): CallKind | undefined => {
  if (chosen.model === model && chosen.kind !== undefined) return chosen.kind
  return kinds.has(model) ? kinds.get(model) : 'chat'
}
