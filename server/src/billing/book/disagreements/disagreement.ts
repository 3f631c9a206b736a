export type ComparedKind = 'input' | 'output' | 'cache_read' | 'cache_write'

/** Dollars per million tokens, by kind: the catalogue's, then the second source's. A kind about which they agree is absent. */
export type ComparedFigures = { readonly [K in ComparedKind]?: readonly [catalogue: number, second: number] }

/** Models about whose prices the catalogue and the second source disagree for the same reason. */
export interface Disagreement {
  /** Source of the price that applies: the catalogue, the second source, or the provider's page if both are wrong. */
  readonly follow: 'catalogue' | 'second source' | 'provider'
  readonly why: string
  /** Name in the second source → what the two say. */
  readonly models: Readonly<Record<string, ComparedFigures>>
}
